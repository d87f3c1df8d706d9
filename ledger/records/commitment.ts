// The commitment of a record: whether and where the chain has it.

import { NEVER_COMMITTED } from '../encoding/timestamp.ts';

/** Where a record stands: durably accepted, on the chain for good, or refused by the chain for good. */
export type ConfirmationStatus = 'PENDING' | 'CONFIRMED' | 'FAILED';

/** Where the chain has a record. */
export interface Commitment {
  readonly confirmation_status: ConfirmationStatus;
  readonly timestamp_committed: string;
  readonly block_number: number;
  readonly transaction_index: number;
  readonly log_index: number;
  readonly transaction_id: string;
  /** Author's address with EIP-55 checksum. */
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
