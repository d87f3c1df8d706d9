// Where the parts of a data directory are.
import { join } from 'node:path';

/** Paths of the parts of a data directory. */
export const dataPaths = (dataDir: string) => ({
  keys: join(dataDir, 'keys'),
  chain: join(dataDir, 'chain'),
  recentBlocks: join(dataDir, 'recent-blocks'),
  index: join(dataDir, 'index'),
  outbox: join(dataDir, 'outbox'),
  blobs: join(dataDir, 'blobs'),
  /** The block log and its checkpoint. */
  log: join(dataDir, 'log'),
  /** Exists only while a backup is being restored. */
  restoring: join(dataDir, 'restoring'),
  /** Records that the chain no longer has. */
  gone: join(dataDir, 'gone'),
  /** This server's name among those that share BLOBS_DIR. */
  serverName: join(dataDir, 'server-name'),
  network: join(dataDir, 'network.json'),
  ledger: join(dataDir, 'ledger.json'),
  /** The newest block of a network that was final here. */
  final: join(dataDir, 'final.json'),
  /** Times later than the clock that an operator has accepted. */
  clock: join(dataDir, 'clock.json'),
  /** A restored chain that is complete and not in its place yet. */
  repairedChain: join(dataDir, 'chain.repaired'),
  /** Exists only while a repair puts a chain in its place that has records appended again. */
  repairing: join(dataDir, 'repairing.json'),
  /** Held by the process that has the directory open. */
  lock: join(dataDir, 'lock'),
  /** Secrets and files of the demo. */
  demo: join(dataDir, 'demo'),
  control: join(dataDir, 'control'),
  controlSocket: join(dataDir, 'control', 'socket'),
  /** The API for the operator's commands. */
  apiSocket: join(dataDir, 'control', 'api'),
});
