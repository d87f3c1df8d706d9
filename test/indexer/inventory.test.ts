import { Readable } from 'node:stream';
import { expect } from 'chai';
import { readContents, readInventory, readTenantIdentities } from '../../indexer/inventory.ts';
import { contentKey, LAYOUT_VERSION, memberKey, recordKey, tenantNameKey, tenantRowKey } from '../../indexer/keys.ts';
import { createIndexStore, type IndexStore } from '../../indexer/store.ts';
import { toKey, toTenantIdentity } from '../../ledger/identity.ts';
import { useDirectories } from '../support/directories.ts';

const toUuid = (count: number): string => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
const toHash = (count: number): string => count.toString(16).padStart(64, '0');

const collect = async (texts: AsyncIterable<string>): Promise<string[]> => {
  const all: string[] = [];
  for await (const one of texts) all.push(one);
  return all;
};

describe('the inventory of a ledger', () => {
  const createDirectory = useDirectories();
  const tenants = Array.from({ length: 1_500 }, (_, count) => toTenantIdentity(toUuid(count)));
  const [first, second] = tenants.map(toKey) as [Uint8Array, Uint8Array];
  const hashes = Array.from({ length: 2_000 }, (_, count) => toHash(count));
  let store: IndexStore;
  before(async () => {
    store = await createIndexStore(await createDirectory());
    const rows = [
      ...tenants.map((identity) => ({ key: tenantRowKey(toKey(identity)), value: { identity, tenant: {} as never } })),
      ...hashes.map((sha256) => ({ key: contentKey(first, Buffer.from(sha256, 'hex')), value: 1 })),
      { key: contentKey(second, Buffer.alloc(32, 0xff)), value: 1 },
      { key: tenantNameKey(Buffer.alloc(32)), value: 'another table' },
    ];
    const cursor = { layoutVersion: LAYOUT_VERSION, contract: '0x', blockNumber: 1, blockHash: '0x' } as const;
    await store.apply(rows, cursor);
  });
  after(() => store.close());

  it('has every tenant once, for any number of tenants', async () => {
    const found = await collect(readTenantIdentities(store));
    expect(found.sort()).to.eql([...tenants].sort());
  });

  it('has every content of a tenant, and none of another', async () => {
    expect(await collect(readContents(store, tenants[0]!))).to.eql([...hashes].sort());
    expect(await collect(readContents(store, tenants[1]!))).to.eql(['f'.repeat(64)]);
    expect(await collect(readContents(store, tenants[2]!))).to.eql([]);
  });

  it('counts keys of a wrong length as damaged rows, with and without checksums', async () => {
    const whole = [recordKey(first, second), memberKey(first, 'events', 1), tenantRowKey(first)];
    const entries = whole.flatMap((key) => [
      [key.subarray(0, -1), Buffer.alloc(8)] as const,
      [Buffer.concat([key, Buffer.of(0)]), Buffer.alloc(8)] as const,
    ]);
    for (const isChecked of [true, false]) {
      const inventory = await readInventory(Readable.from(entries), isChecked, 0);
      expect(inventory).to.eql({ records: [], holes: [], names: [], damagedRows: 6 });
    }
  });
});
