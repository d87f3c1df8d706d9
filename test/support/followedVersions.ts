// Which versions of a random history follow which.
import fc from 'fast-check';
import { toStreamIdentityOf } from '../../ledger/identity.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import type { WrittenRecord } from './recordLogs.ts';
import { ALPHA } from './records.ts';

/** Which version one of a history follows: none is named as in 0.1, none at all, the last one, or the one before it. */
export type Follows = 'unnamed' | 'none' | 'last' | 'earlier';
const follows = fc.constantFrom<Follows>('unnamed', 'none', 'last', 'last', 'last', 'last', 'earlier');

/** A choice for each record of a history. */
export const followChoices = fc.array(follows, { minLength: 45, maxLength: 45 });

const isVersion = ({ type }: LedgerRecord): boolean => !['event', 'contribution', 'blob'].includes(type);

const toFollowed = (earlier: readonly string[], choice: Follows): string =>
  (choice === 'none' ? undefined : earlier.at(choice === 'last' ? -1 : -2)) ?? '';

/**
 * A history whose versions follow those of their tenant and stream before them, whether these have an effect or not.
 */
export const withFollows = (history: readonly WrittenRecord[], choices: readonly Follows[]): WrittenRecord[] => {
  const versions = new Map<string, string[]>();
  return history.map((written, at) => {
    const { record, tenantIdentity = ALPHA } = written;
    const name = `${tenantIdentity} ${toStreamIdentityOf(record)}`;
    const earlier = versions.get(name) ?? [];
    versions.set(name, [...earlier, record.identity]);
    const choice = choices[at % choices.length]!;
    if (!isVersion(record) || choice === 'unnamed') return written;
    return { ...written, record: { ...record, follows: toFollowed(earlier, choice) } as LedgerRecord };
  });
};
