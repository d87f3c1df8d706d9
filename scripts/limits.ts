// The bounds and times that an installation runs with.
import type { ServerLimits } from '../server/deps.ts';
import type { LedgerLimits } from './openLedger.ts';

/** Chain id of a new embedded chain. A chain that exists keeps its own. */
export const CHAIN_ID = 424_242;

export const LEDGER_LIMITS: LedgerLimits = {
  outboxEntriesMax: 10_000,
  batchRecordsMax: 200,
  batchBytesMax: 200_000,
  commitWaitMs: 10_000,
};

export const SERVER_LIMITS: ServerLimits = {
  bodyBytesMax: 131_072,
  listRecordsMax: 500,
  pageSizeMax: 1_000,
};
