// Masks of changes: the fields that a PATCH changes, also to nothing.
import { refuseField } from '../../ledger/errors.ts';

/**
 * The changes that a mask names; all of them without a mask. A field that the mask names and the body lacks is reset to
 * its value in `zeros`.
 * @param mask Names of fields of `T`, separated by commas.
 * @throws LedgerError REQUEST_INVALID that names a field which can't be reset.
 */
export const maskChanges = <T extends object>(changes: T, mask: string | undefined, zeros: Partial<T>): T => {
  if (mask === undefined) return changes;
  const toEntry = (name: keyof T & string): readonly [string, unknown] => {
    const value = changes[name] ?? zeros[name];
    if (value === undefined) throw refuseField('REQUEST_INVALID', name, 'is named by `mask` and has no value');
    return [name, value];
  };
  return Object.fromEntries((mask.split(',') as (keyof T & string)[]).map(toEntry)) as T;
};
