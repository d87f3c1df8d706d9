// What an installation must have besides the chain, as the chain says it: keys of these tenants, and contents of these files. For checking
// what was restored.
import { toKey } from '../ledger/identity.ts';
import { decodePayload, type LedgerRecord } from '../ledger/record.ts';
import * as keys from './keys.ts';
import { decodePayloadRow, type Place } from './recordRow.ts';
import type { TenantRow } from './rows.ts';
import type { Entry, IndexStore } from './store.ts';

const PAGE_ENTRIES = 1_000;

async function* readAll(store: IndexStore, range: keys.KeyRange): AsyncGenerator<Entry> {
  const snapshot = store.snapshot();
  try {
    let rest = range;
    for (;;) {
      const page = await snapshot.readFirst(rest, PAGE_ENTRIES);
      yield* page;
      if (page.length < PAGE_ENTRIES) return;
      rest = { gt: page.at(-1)![0], lt: range.lt! };
    }
  } finally {
    await snapshot.close();
  }
}

/** Identities of all tenants that the ledger has. */
export async function* readTenantIdentities(store: IndexStore): AsyncGenerator<string> {
  for await (const [, row] of readAll(store, keys.tenantRange())) yield (row as TenantRow).identity;
}

/** SHA-256 of every file that a tenant's blobs name, each once, in lower-case hexadecimal. */
export async function* readContents(store: IndexStore, tenantIdentity: string): AsyncGenerator<string> {
  for await (const [key] of readAll(store, keys.contentRange(toKey(tenantIdentity)))) yield keys.contentOf(key);
}

/** A record of the index with the bytes that were signed. */
export interface InventoryRecord {
  readonly tenantIdentity: string;
  readonly record: LedgerRecord;
  readonly payload: Uint8Array;
  readonly place: Place;
}

/** All records in blocks after a number, in the order of the chain. @throws LedgerError INDEX_DAMAGED when a row is damaged. */
export const readRecordsAfter = async (store: IndexStore, blockNumber: number): Promise<InventoryRecord[]> => {
  const tenants = new Map<string, string>();
  const rows: { tenant: string; placed: NonNullable<ReturnType<typeof decodePayloadRow>> }[] = [];
  for await (const [key, row] of store.entries()) {
    const tenant = keys.toKeyName(keys.tenantOf(key));
    if (keys.isTenantRow(key)) tenants.set(tenant, (row as TenantRow).identity);
    const placed = row instanceof Uint8Array ? decodePayloadRow(row) : undefined;
    if (placed !== undefined && placed.place.blockNumber > blockNumber) rows.push({ tenant, placed });
  }
  return rows
    .sort(
      ({ placed: { place: a } }, { placed: { place: b } }) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex,
    )
    .map(({ tenant, placed: { place, payload } }) => ({
      tenantIdentity: tenants.get(tenant) ?? '',
      record: decodePayload(payload)!,
      payload,
      place,
    }));
};
