// The posting lists that a batch changes; each chunk of a list is decoded once.
import * as keys from '../keys.ts';
import { CHUNK_NUMBERS, toChunk, toLow } from '../rows/bits.ts';
import { changePosting, encodePosting, openPosting, type Posting } from '../rows/postings.ts';
import type { Write } from '../rows/rows.ts';
import { createByTenant, getOrCreate } from './byTenant.ts';
import type { ListsChange, ReadRow } from './changes.ts';
import type { NewestLists } from './newestLists.ts';
import { isEventTerm } from './terms/termNames.ts';

interface OpenList {
  readonly key: Buffer;
  readonly posting: Posting;
}

/** The opened lists of one chunk, by term. */
interface OpenChunk {
  readonly chunk: number;
  /** The lists of events that the chunk has, if they are known. */
  readonly known: Set<string> | undefined;
  readonly lists: Map<string, OpenList>;
}

/** Creates an empty set of changes to posting lists, on top of the stored rows. */
export const createListChanges = (readStored: ReadRow, newest: NewestLists) => {
  const tenants = createByTenant((tenantKey) => {
    const events = (readStored(keys.counterKey(tenantKey, 'events')) as number | undefined) ?? 0;
    // A chunk without events has no list of events.
    const firstNewChunk = toChunk(events + CHUNK_NUMBERS - 1);
    return { tenantKey, firstNewChunk, chunks: new Map<number, OpenChunk>() };
  });
  const openChunk = (tenantKey: Uint8Array, chunk: number): OpenChunk => {
    const { firstNewChunk, chunks } = tenants.get(tenantKey);
    return getOrCreate(chunks, chunk, () => {
      const known = chunk >= firstNewChunk ? newest.begin(tenantKey) : newest.find(tenantKey, chunk);
      return { chunk, known, lists: new Map() };
    });
  };
  const isKnownToLack = (known: Set<string> | undefined, term: string): boolean => {
    if (known === undefined || !isEventTerm(term) || known.has(term)) return false;
    known.add(term);
    return true;
  };
  const openList = (tenantKey: Uint8Array, { chunk, known, lists }: OpenChunk, term: string): OpenList => {
    const key = keys.postingKey(tenantKey, term, chunk);
    const stored = isKnownToLack(known, term) ? undefined : (readStored(key) as Uint8Array | undefined);
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
      for (const { tenantKey, chunks } of tenants.all()) {
        for (const { chunk, known, lists } of chunks.values()) {
          for (const { key, posting } of lists.values()) writes.push({ key, value: encodePosting(posting) });
          if (known !== undefined && known.size > 0) newest.keep(tenantKey, chunk, known);
        }
      }
    },
  };
};
