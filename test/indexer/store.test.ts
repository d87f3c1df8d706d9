import { expect } from 'chai';
import * as keys from '../../indexer/keys.ts';
import type { Cursor, Row, Write } from '../../indexer/rows.ts';
import { createIndexStore, type IndexStore } from '../../indexer/store.ts';
import { useDirectories } from '../support/directories.ts';
import { CONTRACT } from '../support/fakeChain.ts';
import { watchBatches, withFailingLevel } from '../support/levelMethod.ts';
import { toWord } from '../support/recordLogs.ts';

const cursorAt = (blockNumber: number): Cursor => ({
  layoutVersion: keys.LAYOUT_VERSION,
  contract: CONTRACT,
  blockNumber,
  blockHash: toWord(blockNumber),
});
const list = keys.eventsOfTenant(new Uint8Array(32));
const entry = (block: number): Buffer => keys.listEntryKey(list, keys.toPosition(block, 0));
const put = (block: number, value: Row = toWord(block)): Write => ({ key: entry(block), value });

describe('index store', () => {
  const makeDirectory = useDirectories();
  const opened: IndexStore[] = [];
  const open = async (directory?: string): Promise<IndexStore> => {
    const store = await createIndexStore(directory ?? (await makeDirectory()));
    opened.push(store);
    return store;
  };
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));

  const rowsOf = async (store: IndexStore): Promise<[string, Row][]> => {
    const rows: [string, Row][] = [];
    for await (const [key, row] of store.entries()) rows.push([key.toString('hex'), row]);
    return rows;
  };

  it('is empty and has no cursor at first', async () => {
    const store = await open();
    expect(store.readCursor()).to.equal(undefined);
    expect(await rowsOf(store)).to.deep.equal([]);
    expect(store.readMany([entry(1)])).to.deep.equal([undefined]);
  });

  it('has what it was given after it was opened again', async () => {
    const directory = await makeDirectory();
    const store = await open(directory);
    const hostile = Object.fromEntries([['__proto__', 'x']]) as unknown as Row;
    await store.apply([put(2), put(1, 7), put(3, hostile)], cursorAt(5));
    await store.close();
    const again = await open(directory);
    expect(again.readCursor()).to.deep.equal(cursorAt(5));
    expect(again.readMany([entry(1), entry(9), entry(2)])).to.deep.equal([7, undefined, toWord(2)]);
    expect(Object.entries(again.readMany([entry(3)])[0]!)).to.deep.equal([['__proto__', 'x']]);
  });

  it('gives its entries in the order of keys, the cursor among them', async () => {
    const store = await open();
    await store.apply([put(300), put(2), put(1)], cursorAt(5));
    expect((await rowsOf(store)).map(([key]) => key)).to.deep.equal(
      [keys.cursorKey(), entry(1), entry(2), entry(300)].map((key) => key.toString('hex')),
    );
  });

  it('applies writes in order: the last of one key counts', async () => {
    const store = await open();
    await store.apply([put(1), { key: entry(1), value: undefined }, put(2), put(2, 7)], cursorAt(1));
    await store.apply([{ key: entry(9), value: undefined }], cursorAt(2));
    expect(store.readMany([entry(1), entry(2)])).to.deep.equal([undefined, 7]);
    expect(store.readCursor()).to.deep.equal(cursorAt(2));
  });

  it('writes the changes and the cursor in one batch', async () => {
    const store = await open();
    const batches = await watchBatches(() => store.apply([put(1), put(2)], cursorAt(1)));
    expect(batches.map(({ size }) => size)).to.deep.equal([3]);
  });

  it('has neither the changes nor the cursor of a batch that failed', async () => {
    const store = await open();
    await store.apply([put(1)], cursorAt(1));
    await withFailingLevel('batch', async () => {
      const outcomes = await Promise.allSettled([store.apply([put(2), put(1, 7)], cursorAt(2))]);
      expect(outcomes[0]!.status).to.equal('rejected');
    });
    expect(store.readCursor()).to.deep.equal(cursorAt(1));
    expect(store.readMany([entry(1), entry(2)])).to.deep.equal([toWord(1), undefined]);
  });

  it('is empty after it was wiped', async () => {
    const store = await open();
    await store.apply([put(1), put(2)], cursorAt(2));
    await store.wipe();
    expect(await rowsOf(store)).to.deep.equal([]);
    expect(store.readCursor()).to.equal(undefined);
  });

  it('has no cursor when its wiping was cut short, so that it counts as empty', async () => {
    const directory = await makeDirectory();
    const store = await open(directory);
    await store.apply([put(1)], cursorAt(2));
    await withFailingLevel('clear', () => Promise.allSettled([store.wipe()]));
    await store.close();
    const again = await open(directory);
    expect(again.readCursor()).to.equal(undefined);
    expect(again.readMany([entry(1)])).to.deep.equal([toWord(1)]);
  });

  describe('snapshot', () => {
    it('sees nothing that comes after it', async () => {
      const store = await open();
      await store.apply([put(1), put(2)], cursorAt(1));
      const snapshot = store.snapshot();
      await store.apply([put(3), put(1, 7), { key: entry(2), value: undefined }], cursorAt(2));
      expect(snapshot.readMany([entry(1), entry(2), entry(3)])).to.deep.equal([toWord(1), toWord(2), undefined]);
      expect(snapshot.read(entry(2))).to.equal(toWord(2));
      expect(await snapshot.readLast(keys.listRange(list, undefined), 9)).to.have.length(2);
      await snapshot.close();
      expect(store.readMany([entry(1), entry(2), entry(3)])).to.deep.equal([7, undefined, toWord(3)]);
    });

    it('sees all that it saw after the store was wiped', async () => {
      const store = await open();
      await store.apply([put(1)], cursorAt(1));
      const snapshot = store.snapshot();
      await store.wipe();
      expect(snapshot.read(entry(1))).to.equal(toWord(1));
      await snapshot.close();
    });

    it('reads a range from its end, as many as asked for', async () => {
      const store = await open();
      const other = keys.listEntryKey(keys.trackedAssets(new Uint8Array(32)), keys.toPosition(0, 0));
      await store.apply([...[1, 2, 3, 4].map((block) => put(block)), { key: other, value: 0 }], cursorAt(1));
      const snapshot = store.snapshot();
      const readLast = async (before: number | undefined, limit: number): Promise<unknown[]> => {
        const position = before === undefined ? undefined : keys.toPosition(before, 0);
        return (await snapshot.readLast(keys.listRange(list, position), limit)).map(([, row]) => row);
      };
      expect(await readLast(undefined, 9)).to.deep.equal([4, 3, 2, 1].map(toWord));
      expect(await readLast(undefined, 2)).to.deep.equal([4, 3].map(toWord));
      expect(await readLast(3, 9)).to.deep.equal([2, 1].map(toWord));
      expect(await readLast(1, 9)).to.deep.equal([]);
      await snapshot.close();
    });
  });
});
