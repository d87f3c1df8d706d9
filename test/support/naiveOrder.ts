// The order of lists in the models: uncommitted members by acceptance, then by identity, the newest first; then those
// on the chain, the newest first.
import type { Commitment } from '../../ledger/records/commitment.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';

/** A record, and whether it is on the chain. */
export interface NaivePlace {
  readonly record: LedgerRecord;
  readonly commitment: Pick<Commitment, 'confirmation_status'>;
}

/** Orders members, the oldest first, as a list does. `firstOf`: the first record of each, by the member's identity. */
export const newestFirst = <T extends { readonly identity: string }>(
  members: readonly T[],
  firstOf: (identity: string) => NaivePlace,
): T[] => {
  const isCommitted = ({ identity }: T): boolean => firstOf(identity).commitment.confirmation_status === 'CONFIRMED';
  const atMs = ({ identity }: T): number => Date.parse(firstOf(identity).record.timestamp_accepted);
  const uncommitted = members.filter((member) => !isCommitted(member));
  uncommitted.sort((a, b) => atMs(b) - atMs(a) || (a.identity < b.identity ? 1 : -1));
  return [...uncommitted, ...members.filter(isCommitted).reverse()];
};
