// The rule of versions in the models: one has an effect if it names the version that holds.
import { toStreamIdentityOf } from '../../ledger/identity.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';

/** Whether a version names the one that holds, or, as in 0.1, none. */
export const namesHeld = (record: LedgerRecord, held: LedgerRecord | undefined): boolean => {
  const { follows } = record as { readonly follows?: string };
  return follows === undefined || follows === (held === undefined ? '' : held.identity);
};

/**
 * Adds a version to the newest ones. One that the chain refused has no content, but may be the first. One that does not
 * name the newest has no effect.
 */
export const takeVersion = <R extends LedgerRecord>(
  versions: Map<string, R | undefined>,
  record: R,
  isFailed: boolean,
) => {
  const stream = toStreamIdentityOf(record);
  if (!isFailed && !namesHeld(record, versions.get(stream))) return;
  versions.set(stream, isFailed ? versions.get(stream) : record);
};
