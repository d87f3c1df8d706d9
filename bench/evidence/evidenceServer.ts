// A server with one witness, both as processes run them: the server in one of its own, the witness in this one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCheckpointSigner } from '../../chain/blockLog/checkpointSigner.ts';
import { createDataDirectory } from '../../host/files/dataDirectory.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openKeyring } from '../../host/keyring.ts';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import { FIRST_TENANT } from '../../host/tenants.ts';
import { createWitness } from '../../host/witness/witness.ts';
import { openWitnessKey } from '../../host/witness/witnessKey.ts';
import { listenForCheckpoints } from '../../host/witness/witnessServer.ts';
import { openWitnessState } from '../../host/witness/witnessState.ts';
import { encodeVerifierKey } from '../../ledger/evidence/verifierKey.ts';

const ORIGIN = 'ledger.example/424242';
const SETTINGS = { LOG_ORIGIN: ORIGIN, RATE_LIMIT_PER_SECOND: '100000', METRICS_PORT: '0', LOG_LEVEL: 'warn' };

/** A server of a fresh data directory, and what its evidence is checked with. */
export interface EvidenceServer {
  readonly pid: number;
  /** Base URL of the API. */
  readonly url: string;
  readonly token: string;
  readonly logKey: string;
  readonly witnessKey: string;
  stop(): Promise<void>;
}

const startWitness = async (directory: string, logKey: Parameters<typeof createWitness>[0]['logs'][number]) => {
  await createDataDirectory(directory);
  const key = await openWitnessKey(directory, 'witness.example/bench');
  const state = await openWitnessState(directory, key.verifier);
  const witness = createWitness({ key, logs: [logKey], state, now: Date.now });
  const verifierKey = encodeVerifierKey(key.verifier);
  const rate = { perSecond: 0, burst: 0 };
  const listener = await listenForCheckpoints({ witness, state, verifierKey }, { host: '127.0.0.1', port: 0, rate });
  return { ...listener, verifierKey };
};

/** Starts a server whose checkpoints are this many seconds apart; 0: it has none. */
export const startEvidenceServer = async (checkpointSeconds: number): Promise<EvidenceServer> => {
  const directory = await mkdtemp(join(tmpdir(), 'provenance-bench-'));
  const dataDir = join(directory, 'server');
  await createDataDirectory(dataDir);
  const keyring = await openKeyring(dataPaths(dataDir).keys);
  const { logKey } = createCheckpointSigner(ORIGIN, await keyring.openLogKey());
  const witness = await startWitness(join(directory, 'witness'), logKey);
  let server: ServerProcess | undefined;
  const stop = async (): Promise<void> => {
    await server?.stop('SIGTERM');
    await witness.close();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const WITNESSES = `${witness.verifierKey} ${witness.url}`;
    const settings = { ...SETTINGS, WITNESSES, CHECKPOINT_SECONDS: `${checkpointSeconds}` };
    server = await startServerProcess(dataDir, [], settings);
    const input = { tenant: FIRST_TENANT, role: 'root' };
    const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', input);
    const url = `${server.url}/archivist`;
    const keys = { logKey: encodeVerifierKey(logKey), witnessKey: witness.verifierKey };
    return { pid: server.process.pid!, url, token, ...keys, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
