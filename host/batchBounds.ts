// What a batch of records may have, and how many may be in progress.
import type { BatchRunnerOptions } from '../chain/writing/batchRunner.ts';
import type { LedgerLimits } from './ledgerOptions.ts';

/** Of the bytes of a transaction, those of the payloads when its batch counts as full. */
const PAYLOADS_SHARE = 0.75;

type BatchBounds = Pick<
  BatchRunnerOptions,
  'batchRecordsMax' | 'sharedBatchRecordsMax' | 'batchBytesMax' | 'transactionsInFlight' | 'minedBatchesMax'
>;

/** The bounds of a chain whose transactions have so many bytes at most. */
export const toBatchBounds = (limits: LedgerLimits, transactionBytesMax: number, isEmbedded: boolean): BatchBounds => ({
  batchRecordsMax: limits.batchRecordsMax,
  // On a network the interval of its blocks decides how long a record waits.
  sharedBatchRecordsMax: isEmbedded
    ? Math.min(limits.sharedBatchRecordsMax, limits.batchRecordsMax)
    : limits.batchRecordsMax,
  batchBytesMax: Math.min(limits.batchBytesMax, transactionBytesMax * PAYLOADS_SHARE),
  // A block of the embedded chain is mined by the submission, and final at once.
  transactionsInFlight: isEmbedded ? 1 : limits.transactionsInFlight,
  minedBatchesMax: isEmbedded ? 1 : limits.minedBatchesMax,
});
