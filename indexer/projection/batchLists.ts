// The posting lists that a batch changes; each chunk of a list is decoded once.

import * as keys from '../keys.ts';
import { CHUNK_NUMBERS, toChunk, toLow } from '../rows/bits.ts';
import { changePosting, encodePosting, openPosting, type Posting } from '../rows/postings.ts';
import type { Write } from '../rows/rows.ts';
import { createByTenant, getOrCreate } from './byTenant.ts';
import type { ListsChange, ReadRow } from './changes.ts';
import { isEventTerm } from './terms.ts';

interface OpenList {
  readonly key: Buffer;
  readonly posting: Posting;
}

/** The opened lists of one chunk, by term. */
interface OpenChunk {
  readonly chunk: number;
  /** Whether there were no events in the chunk before the batch, so that no list of events has a row for it. */
  readonly isNew: boolean;
  readonly lists: Map<string, OpenList>;
}

/** Creates an empty set of changes to posting lists, on top of the stored rows. */
export const createListChanges = (readStored: ReadRow) => {
  const tenants = createByTenant((tenantKey) => {
    const events = (readStored(keys.counterKey(tenantKey, 'events')) as number | undefined) ?? 0;
    return { firstNewChunk: toChunk(events + CHUNK_NUMBERS - 1), chunks: new Map<number, OpenChunk>() };
  });
  const openChunk = (tenantKey: Uint8Array, chunk: number): OpenChunk => {
    const { firstNewChunk, chunks } = tenants.get(tenantKey);
    return getOrCreate(chunks, chunk, () => ({ chunk, isNew: chunk >= firstNewChunk, lists: new Map() }));
  };
  const openList = (tenantKey: Uint8Array, { chunk, isNew, lists }: OpenChunk, term: string): OpenList => {
    const key = keys.postingKey(tenantKey, term, chunk);
    const stored = isNew && isEventTerm(term) ? undefined : (readStored(key) as Uint8Array | undefined);
    const list = { key, posting: openPosting(stored) };
    lists.set(term, list);
    return list;
  };
  return {
    add: ({ tenantKey, number, added, removed }: ListsChange): void => {
      const chunk = openChunk(tenantKey, toChunk(number));
      const low = toLow(number);
      const change = (term: string, isIn: boolean): void => {
        const list = chunk.lists.get(term) ?? openList(tenantKey, chunk, term);
        changePosting(list.posting, low, isIn);
      };
      for (const term of removed) change(term, false);
      for (const term of added) change(term, true);
    },
    addWrites: (writes: Write[]): void => {
      for (const { chunks } of tenants.all()) {
        for (const { lists } of chunks.values()) {
          for (const { key, posting } of lists.values()) writes.push({ key, value: encodePosting(posting) });
        }
      }
    },
  };
};
