// Opens the block log of a ledger: its name, its key and its files.
import { mkdir } from 'node:fs/promises';
import { hasCheckpoint, openBlockLog } from '../../chain/blockLog/blockLog.ts';
import { createCheckpointSigner } from '../../chain/blockLog/checkpointSigner.ts';
import { type LogIdentity, readLogIdentity, writeLogIdentity } from '../../chain/blockLog/logIdentity.ts';
import { openWitnessedLog } from '../../chain/blockLog/witnessedLog.ts';
import { syncDirectory } from '../../chain/leveldb/syncDirectory.ts';
import { dataPaths } from '../files/dataPaths.ts';
import type { IndexedChain } from '../indexedChain.ts';
import type { Ledger } from '../openLedger.ts';
import type { Config } from '../settings/config.ts';

/** The settings of a log's name. */
export type LogSettings = Partial<Pick<Config, 'logOrigin' | 'publicUrl' | 'publicHosts'>>;

type LoggedLedger = Pick<IndexedChain, 'chain' | 'contract' | 'keyring'> & Pick<Ledger, 'dataDir' | 'deploymentBlock'>;

/** Whether the log is of an embedded chain. */
export const isEmbedded = ({ chain }: Pick<LoggedLedger, 'chain'>): boolean => chain.copyJournalTo !== undefined;

const toOrigin = ({ chain, contract }: LoggedLedger, { logOrigin, publicUrl, publicHosts }: LogSettings): string => {
  const host = publicUrl === undefined ? (publicHosts?.[0] ?? 'localhost') : new URL(publicUrl).host;
  return logOrigin ?? `${host}/${chain.chainId}/${contract}`;
};

const refuseOrigin = (origin: string, { origin: known }: LogIdentity): Error =>
  new Error(
    `LOG_ORIGIN is ${origin}, and DATA_DIR/log is the block log ${known}. Nothing was changed. Unset LOG_ORIGIN, or move DATA_DIR/log ` +
      'elsewhere to begin a new log',
  );

// The name that checkpoints were published with stays, also when PUBLIC_HOSTS changes.
const openIdentity = async (ledger: LoggedLedger, settings: LogSettings, directory: string): Promise<LogIdentity> => {
  const known = await readLogIdentity(directory);
  const { logOrigin } = settings;
  if (known !== undefined && logOrigin !== undefined && logOrigin !== known.origin)
    throw refuseOrigin(logOrigin, known);
  if (known !== undefined) return known;
  const identity = { origin: toOrigin(ledger, settings), firstBlock: isEmbedded(ledger) ? 0 : ledger.deploymentBlock };
  await writeLogIdentity(directory, identity);
  return identity;
};

/**
 * Opens the block log of a ledger, and creates its directory and key at the first start.
 * @throws LedgerError LOG_CORRUPT or CHAIN_UNAVAILABLE as `openBlockLog`; Error when LOG_ORIGIN names another log, or
 * the key is missing.
 */
export const openLedgerLog = async (ledger: LoggedLedger & Pick<Ledger, 'now'>, settings: LogSettings) => {
  const { dataDir, keyring, chain, now } = ledger;
  const { log: directory } = dataPaths(dataDir);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await syncDirectory(dataDir);
  const { origin, firstBlock, previous } = await openIdentity(ledger, settings, directory);
  const key = hasCheckpoint(directory) ? keyring.requireLogKey() : keyring.openLogKey();
  const signer = createCheckpointSigner(origin, await key);
  const log = await openBlockLog({ directory, firstBlock, signer, chain, now });
  return {
    log,
    signer,
    firstBlock,
    previous,
    witnessed: () => openWitnessedLog(log, { directory, firstBlock, signer }),
  };
};
