// The commitment of a record: whether and where the chain has it.

import { NEVER_COMMITTED } from '../encoding/timestamp.ts';

/** State of a record: durably accepted, final on the chain, or permanently refused by the chain. */
export type ConfirmationStatus = 'PENDING' | 'CONFIRMED' | 'FAILED';

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
}

/** The commitment of a record that isn't on the chain. */
export const toUncommitted = (status: 'PENDING' | 'FAILED'): Commitment => ({
  confirmation_status: status,
  timestamp_committed: NEVER_COMMITTED,
  block_number: 0,
  transaction_index: 0,
  log_index: 0,
  transaction_id: '',
  from: '',
});
