// What an installation must have besides the chain, as the chain says it: keys of these tenants, and contents of these files. For checking
// what was restored.
import { toKey } from '../ledger/identity.ts';
import * as keys from './keys.ts';
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
