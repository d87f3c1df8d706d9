// What the records of versioned resources have in common: the checks of their fields.

import { toStreamIdentity } from '../identity.ts';
import { isJsonObject } from './attributes.ts';

export type Checks<T> = Record<keyof T, (value: unknown) => boolean>;

/** Check of an identity `<prefix><uuid>/versions/<uuid>`. */
export const isVersionOf =
  (prefix: string) =>
  (value: unknown): boolean =>
    typeof value === 'string' && toStreamIdentity(value)?.startsWith(prefix) === true;

/** Whether a value is a string that is not empty. */
export const isName = (value: unknown): boolean => typeof value === 'string' && value.length > 0;

/** Whether a value is an object with exactly the checked fields, each of which passes. */
export const hasFields = (value: unknown, checks: Record<string, (field: unknown) => boolean>): boolean =>
  isJsonObject(value) &&
  Object.keys(value).length === Object.keys(checks).length &&
  Object.entries(checks).every(([field, check]) => check(value[field]));
