// Entries whose identity another record has in the ledger: another server of the tenant recorded it first, for a client
// that repeated its request there with its `Idempotency-Key`. The contract will never accept such an entry. It isn't
// FAILED but displaced: the outbox forgets it, and its request is compared with the record that the ledger has.
import { LedgerError } from '../../ledger/errors.ts';
import type { Commitment } from '../../ledger/records/commitment.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import type { Outbox } from './outbox.ts';
import type { OutboxEntry } from './outboxEntries.ts';

/** A record of an outbox as the index is asked for it. */
export interface RequestedRecord {
  readonly tenantIdentity: string;
  readonly record: LedgerRecord;
  readonly payload: Uint8Array;
}

/** The part of the index that shows which entries are displaced. */
export interface DisplacingIndex {
  /**
   * Commitments of the records with another payload that the index has under the same identities, in their order;
   * undefined where it has none.
   */
  readOthers(records: readonly RequestedRecord[]): Promise<(Commitment | undefined)[]>;
}

/** Parts that displaced entries are removed with. */
export interface DisplacingDeps {
  readonly outbox: Pick<Outbox, 'remove'>;
  readonly index: DisplacingIndex;
  /** Called with the sequence of each entry that is displaced. Returns whether a request waits and gets the error. */
  readonly onDisplaced: (sequence: number, error: LedgerError) => boolean;
  /** Called for each displaced entry whose request was answered before. */
  readonly onProblem: (message: string, cause?: unknown) => void;
}

/** The error of a request whose record was displaced. */
const toDisplacement = ({ record: { identity } }: OutboxEntry): LedgerError =>
  new LedgerError('IDENTITY_PRESENT', { message: `the ledger has another record ${identity}` });

/** Returns a function that removes entries that are displaced in the index, and resolves with the others. */
export const createRemoveDisplaced =
  ({ outbox, index, onDisplaced, onProblem }: DisplacingDeps) =>
  async (entries: readonly OutboxEntry[]): Promise<OutboxEntry[]> => {
    if (entries.length === 0) return [];
    const others = await index.readOthers(entries);
    const displaced = entries.filter((_, at) => others[at] !== undefined);
    if (displaced.length === 0) return [...entries];
    await outbox.remove(displaced, Math.max(...others.map((other) => other?.block_number ?? 0)));
    for (const entry of displaced) {
      const error = toDisplacement(entry);
      const isAnswered = !onDisplaced(entry.sequence, error);
      if (isAnswered) onProblem(`${error.message}; the accepted one, which was PENDING, is dropped`);
    }
    return entries.filter((_, at) => others[at] === undefined);
  };
