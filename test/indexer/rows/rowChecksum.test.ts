// Every kind of read refuses rows that were changed on the disk.
import { expect } from 'chai';
import { Level } from 'level';
import { createRandom } from '../../../bench/random.ts';
import * as keys from '../../../indexer/keys.ts';
import { decodeStored, encodeStored } from '../../../indexer/rows/rowChecksum.ts';
import { createIndexStore, type IndexStore } from '../../../indexer/store.ts';
import { useDirectories } from '../../support/directories.ts';
import { CONTRACT } from '../../support/fakeChain.ts';
import { toWord } from '../../support/recordLogs.ts';
import { rejectionOf } from '../../support/refusals.ts';

const TENANT = new Uint8Array(32);
const entry = (number: number): Buffer => keys.postingKey(TENANT, 'list', number);
const CURSOR = { layoutVersion: keys.LAYOUT_VERSION, contract: CONTRACT, blockNumber: 3, blockHash: toWord(3) };

describe('checksum of a row', () => {
  const makeDirectory = useDirectories();

  it('is valid for the row and its key alone', () => {
    const random = createRandom(5);
    const rows = ['text', 7, { name: 'value' }, Uint8Array.of(1, 2, 3), Buffer.alloc(500, 1)] as const;
    for (const row of rows) {
      const stored = encodeStored(entry(1), row as never);
      expect(decodeStored(entry(1), stored)).to.deep.equal(row);
      for (let flip = 0; flip < 50; flip += 1) {
        const [other, key] = [Buffer.from(stored), entry(1)];
        const changed = flip % 2 === 0 ? other : key;
        changed[Math.floor(random() * changed.length)]! ^= 1 << (flip % 8);
        expect(decodeStored(key, other)).to.equal(undefined);
      }
      for (let length = 0; length < stored.length; length += 1) {
        expect(decodeStored(entry(1), stored.subarray(0, length))).to.equal(undefined);
      }
    }
  });

  // A store of three rows, the second of which was changed by `change`.
  const openChanged = async (change: (db: Level<Buffer, Buffer>) => Promise<void>): Promise<IndexStore> => {
    const directory = await makeDirectory();
    const store = await createIndexStore(directory);
    await store.apply(
      [1, 2, 3].map((number) => ({ key: entry(number), value: toWord(number) })),
      CURSOR,
    );
    await store.close();
    const db = new Level<Buffer, Buffer>(directory, { keyEncoding: 'buffer', valueEncoding: 'buffer' });
    await db.open();
    await change(db);
    await db.close();
    return createIndexStore(directory);
  };
  const changeRow = async (db: Level<Buffer, Buffer>): Promise<void> => {
    const stored = (await db.get(entry(2)))!;
    stored[3]! ^= 1;
    await db.put(entry(2), stored);
  };

  const READS: Readonly<Record<string, (store: IndexStore) => Promise<unknown>>> = {
    'of one row': async (store) => store.read(entry(2)),
    'of one row of a snapshot': async (store) => (await store.snapshot()).read(entry(2)),
    'of many rows': async (store) => (await store.snapshot()).readMany([entry(1), entry(2)]),
    'of long rows': async (store) => {
      const rows = await (await store.snapshot()).readLong([entry(1), entry(2)]);
      return rows.map((decode) => decode());
    },
    'of a range': async (store) => (await store.snapshot()).readFirst(keys.postingRange(TENANT, 'list'), 9),
    'of a range from its end': async (store) => (await store.snapshot()).readLast(keys.postingRange(TENANT, 'list'), 9),
    'of everything': async (store) => {
      const rows: unknown[] = [];
      for await (const entry of store.entries()) rows.push(entry);
      return rows;
    },
  };
  for (const [name, read] of Object.entries(READS)) {
    it(`is verified by a read ${name}, and the first damage is reported once`, async () => {
      const store = await openChanged(changeRow);
      const found: string[] = [];
      store.damage.onFound(({ code }) => found.push(code));
      expect(await rejectionOf(read(store))).to.equal('INDEX_DAMAGED');
      expect(await rejectionOf(read(store))).to.equal('INDEX_DAMAGED');
      expect(found).to.deep.equal(['INDEX_DAMAGED']);
      expect(store.damage.isComplete()).to.equal(false);
      expect(store.read(entry(1))).to.equal(toWord(1));
      await store.close();
    });
  }

  it('is wrong for a row under another key', async () => {
    const store = await openChanged(async (db) => db.put(entry(4), (await db.get(entry(2)))!));
    const range = keys.postingRange(TENANT, 'list');
    expect(await rejectionOf((await store.snapshot()).readFirst(range, 9))).to.equal('INDEX_DAMAGED');
    await store.close();
  });

  it('is verified for the cursor', async () => {
    const store = await openChanged(async (db) => {
      const stored = (await db.get(keys.cursorKey()))!;
      stored[5]! ^= 1;
      await db.put(keys.cursorKey(), stored);
    });
    expect(store.readCursor()).to.equal(undefined);
    expect(store.damage.found()?.code).to.equal('INDEX_DAMAGED');
    expect(await store.recover()).to.equal(true);
    expect([store.damage.found(), store.read(entry(1))]).to.deep.equal([undefined, undefined]);
    await store.close();
  });
});
