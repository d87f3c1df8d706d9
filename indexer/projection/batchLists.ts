// The posting lists that a batch changes; each chunk of a list is decoded once.

import * as keys from '../keys.ts';
import { CHUNK_NUMBERS, toChunk, toLow } from '../rows/bits.ts';
import { changePosting, encodePosting, openPosting, type Posting } from '../rows/postings.ts';
import type { Write } from '../rows/rows.ts';
import type { ListChange, ReadRow } from './changes.ts';
import { isEventTerm } from './terms.ts';

interface OpenList {
  readonly chunk: number;
  readonly key: Buffer;
  readonly posting: Posting;
}

interface TenantLists {
  /** The opened chunks of each list, by term. The last is nearly always the one to change. */
  readonly lists: Map<string, OpenList[]>;
  /** The first chunk that had no events before the batch, so that no list of events has a row for it. */
  readonly firstNewChunk: number;
}

/** Creates an empty set of changes to posting lists, on top of the stored rows. */
export const createListChanges = (readStored: ReadRow) => {
  const tenants = new Map<string, TenantLists>();
  // The changes of one record share the tenant key's array, so the tenant's lists are looked up once for all of them.
  let current: { tenantKey: Uint8Array; tenant: TenantLists } | undefined;
  const openTenant = (tenantKey: Uint8Array): TenantLists => {
    const name = keys.toKeyName(tenantKey);
    const known = tenants.get(name);
    if (known !== undefined) return known;
    const events = (readStored(keys.counterKey(tenantKey, 'events')) as number | undefined) ?? 0;
    const tenant = { lists: new Map(), firstNewChunk: toChunk(events + CHUNK_NUMBERS - 1) };
    tenants.set(name, tenant);
    return tenant;
  };
  const open = ({ tenantKey, term }: ListChange, chunk: number, firstNewChunk: number): OpenList => {
    const key = keys.postingKey(tenantKey, term, chunk);
    const isNew = chunk >= firstNewChunk && isEventTerm(term);
    return { chunk, key, posting: openPosting(isNew ? undefined : (readStored(key) as Uint8Array | undefined)) };
  };
  const find = ({ lists, firstNewChunk }: TenantLists, change: ListChange, chunk: number): OpenList => {
    const chunks = lists.get(change.term) ?? [];
    const known = chunks.findLast((list) => list.chunk === chunk);
    if (known !== undefined) return known;
    const list = open(change, chunk, firstNewChunk);
    lists.set(change.term, [...chunks, list]);
    return list;
  };
  return {
    add: (change: ListChange): void => {
      const { tenantKey, number, isIn } = change;
      if (current?.tenantKey !== tenantKey) current = { tenantKey, tenant: openTenant(tenantKey) };
      changePosting(find(current.tenant, change, toChunk(number)).posting, toLow(number), isIn);
    },
    toWrites: (): Write[] =>
      [...tenants.values()]
        .flatMap(({ lists }) => [...lists.values()].flat())
        .map(({ key, posting }) => ({ key, value: encodePosting(posting) })),
  };
};
