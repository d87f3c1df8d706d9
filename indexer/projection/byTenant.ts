// What a batch holds for each tenant.
import { toKeyName } from '../keys.ts';

/** Values by tenant. */
export interface ByTenant<T> {
  /** The tenant's value, opened at its first use. */
  get(tenantKey: Uint8Array): T;
  all(): Iterable<T>;
}

/** Creates an empty set of values, each created by `open`. */
export const createByTenant = <T>(open: (tenantKey: Uint8Array) => T): ByTenant<T> => {
  const values = new Map<string, T>();
  // Consecutive records usually share the array of their tenant's key, so the value is looked up once for all of them.
  let last: { tenantKey: Uint8Array; value: T } | undefined;
  const find = (tenantKey: Uint8Array): T => getOrCreate(values, toKeyName(tenantKey), () => open(tenantKey));
  return {
    get: (tenantKey) => {
      if (last?.tenantKey !== tenantKey) last = { tenantKey, value: find(tenantKey) };
      return last.value;
    },
    all: () => values.values(),
  };
};

/** The value in a map under a name, created at its first use. */
export const getOrCreate = <K, T>(values: Map<K, T>, name: K, create: () => T): T => {
  const known = values.get(name);
  if (known !== undefined) return known;
  const value = create();
  values.set(name, value);
  return value;
};
