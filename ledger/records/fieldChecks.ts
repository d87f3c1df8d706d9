// Checks of the fields of records, which come from payloads that any writer may have put on the chain.
import { toStreamIdentity } from '../identity.ts';
import { isJsonObject } from './attributes.ts';

/** A check of each field of `T`. */
export type Checks<T> = Record<keyof T, (value: unknown) => boolean>;

/** A check for identities of the form `<prefix><uuid>/versions/<uuid>`. */
export const isVersionOf =
  (prefix: string) =>
  (value: unknown): boolean =>
    typeof value === 'string' && toStreamIdentity(value)?.startsWith(prefix) === true;

export const isString = (value: unknown): boolean => typeof value === 'string';

/** Whether a value is a list of strings. */
export const areStrings = (value: unknown): boolean => Array.isArray(value) && value.every(isString);

/** Whether a value is a string that is not empty. */
export const isName = (value: unknown): boolean => typeof value === 'string' && value.length > 0;

/** A check for texts of a form. */
export const isMatch =
  (form: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && form.test(value);

/** Whether a value is 32 bytes in lower-case hexadecimal, 0x-prefixed. */
export const isHash = isMatch(/^0x[0-9a-f]{64}$/);

/** Whether a value is an integer from 1 that is exact. */
export const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

/** Whether a value is an object with exactly the checked fields, each of which passes its check. */
export const hasFields = <T>(value: unknown, checks: Checks<T>): value is T => {
  if (!isJsonObject(value)) return false;
  let count = 0;
  for (const field in checks) {
    if (!checks[field](value[field])) return false;
    count += 1;
  }
  return Object.keys(value).length === count;
};
