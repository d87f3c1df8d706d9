// The refusal of a record that its author has not signed. Nobody but the holder of a key can append a record of its
// account, so a chain that has one is false, whatever its hashes prove.
import { LedgerError } from '../ledger/errors.ts';
import type { BlockRef, RecordLog } from './port.ts';

/** No transaction proves that a record is its author's. */
export class UnprovenAuthor extends LedgerError {
  /** The block of the record. */
  readonly blockNumber: number;

  constructor({ blockNumber, recordKey, author }: RecordLog, final: BlockRef) {
    const message =
      `block ${blockNumber} has a record of ${author} (id ${recordKey}), whose key is here and signed it in no ` +
      `transaction up to block ${final.number}: the nodes may be on a false chain`;
    super('AUTHOR_UNPROVED', { message });
    this.blockNumber = blockNumber;
  }
}
