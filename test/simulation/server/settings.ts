// The settings of simulated servers.
import type { LedgerOptions } from '../../../host/ledgerOptions.ts';
import { LEDGER_LIMITS } from '../../../host/settings/installationLimits.ts';
import { theWorld } from '../world/world.ts';

/** Name of the machine that runs the server, and of its disk. */
export const SERVER = 'server';
/** The server's data directory. */
export const DATA_DIR = `/simulated/${SERVER}/data`;
/** Where an index is rebuilt to compare it. */
export const REBUILT_INDEX_DIR = `/simulated/${SERVER}/rebuilt-index`;

const CHAIN_ID = 424_242;

/** Settings that a plan decides. Times are in milliseconds. */
export interface ServerSettings {
  readonly commitWaitMs: number;
  readonly outboxEntriesMax: number;
  readonly batchRecordsMax: number;
  readonly batchBytesMax: number;
  readonly minedBatchesMax: number;
  /** Undefined: those of every installation. */
  readonly transactionsInFlight?: number;
  /** Undefined, as the records of a batch: those of every installation. */
  readonly indexPageBlocks?: number;
  readonly indexBatchRecords?: number;
}

const toIndexing = ({ indexPageBlocks, indexBatchRecords }: ServerSettings): LedgerOptions['indexing'] =>
  indexPageBlocks === undefined ? undefined : { pageBlocks: indexPageBlocks, batchRecords: indexBatchRecords };

/** Options of the server's ledger; `network` is undefined for the embedded chain. */
export const toLedgerOptions = (settings: ServerSettings, network: LedgerOptions['network']): LedgerOptions => ({
  dataDir: DATA_DIR,
  chainId: CHAIN_ID,
  network,
  limits: { ...LEDGER_LIMITS, ...settings },
  indexing: toIndexing(settings),
  now: Date.now,
  onStep: () => undefined,
  onProblem: (message, cause) =>
    theWorld().note(SERVER, () => `reports: ${message}${cause === undefined ? '' : ` (${String(cause)})`}`),
});
