// The commitment of a record: whether and where the chain has it.
import { NEVER_COMMITTED } from '../encoding/timestamp.ts';
import type { LedgerErrorCode } from '../errors.ts';

/** State of a record: durably accepted, final on the chain, or permanently refused by the chain. */
export type ConfirmationStatus = 'PENDING' | 'CONFIRMED' | 'FAILED';

/**
 * Why the chain refused a record: its author is no longer a writer of the tenant; the ledger has another record of its
 * identity; or anything else.
 */
export const FAILURE_REASONS = [
  'AUTHOR_UNAVAILABLE',
  'IDENTITY_PRESENT',
  'TRANSACTION_REFUSED',
] as const satisfies readonly LedgerErrorCode[];

/** A code of `FAILURE_REASONS`. */
export type FailureReason = (typeof FAILURE_REASONS)[number];

/**
 * Whether and where the chain has a record. A record that isn't on the chain has zeros and empty texts
 * (`toUncommitted`).
 */
export interface Commitment {
  readonly confirmation_status: ConfirmationStatus;
  /** Time of the block. */
  readonly timestamp_committed: string;
  readonly block_number: number;
  readonly transaction_index: number;
  readonly log_index: number;
  readonly transaction_id: string;
  /** The author's address with EIP-55 checksum. */
  readonly from: string;
  /** Only of a record that is FAILED. */
  readonly failure_reason?: FailureReason;
}

/** The commitment of a record that isn't on the chain; with `failureReason`, if it is FAILED. */
export const toUncommitted = (status: 'PENDING' | 'FAILED', failureReason?: FailureReason): Commitment => ({
  confirmation_status: status,
  timestamp_committed: NEVER_COMMITTED,
  block_number: 0,
  transaction_index: 0,
  log_index: 0,
  transaction_id: '',
  from: '',
  ...(failureReason !== undefined && { failure_reason: failureReason }),
});
