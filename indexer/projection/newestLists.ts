// The lists of events that the newest chunk of a tenant has, so that a list that it lacks is not looked up on the disk:
// most events have some values that no event before them has. They are known if the chunk began while the process ran.
import { createBoundedMap } from '../boundedMap.ts';
import { toKeyName } from '../keys.ts';

/**
 * The newest lists of one index. All its batches must use the same: a list that is missing here is written without the
 * numbers that it has on the disk. A list that has no row, because a write failed, is only looked up in vain.
 */
export interface NewestLists {
  /** The terms of a chunk that has no events yet: an empty set, to which all its terms must be added. */
  begin(tenantKey: Uint8Array): Set<string>;
  /** The terms of all lists of events in a chunk; undefined if they are not known. New ones must be added. */
  find(tenantKey: Uint8Array, chunk: number): Set<string> | undefined;
  /** Keeps the terms of a chunk for the next batch, in place of those of another chunk of the tenant. */
  keep(tenantKey: Uint8Array, chunk: number, terms: Set<string>): void;
}

/** Terms of the chunks that are kept for certain, of about 100 bytes each; a chunk has some 10,000 to 30,000. */
const TERMS_MAX = 65_536;

/** Creates the newest lists of an index, none of which is known. */
export const createNewestLists = (termsMax = TERMS_MAX): NewestLists => {
  const chunks = createBoundedMap<{ readonly chunk: number; readonly terms: Set<string> }>(2 * termsMax);
  return {
    begin: (tenantKey) => {
      // Terms of the same chunk from before the index was deleted must not be found again.
      chunks.delete(toKeyName(tenantKey));
      return new Set();
    },
    find: (tenantKey, chunk) => {
      const kept = chunks.get(toKeyName(tenantKey));
      return kept?.chunk === chunk ? kept.terms : undefined;
    },
    keep: (tenantKey, chunk, terms) => chunks.set(toKeyName(tenantKey), { chunk, terms }, terms.size),
  };
};
