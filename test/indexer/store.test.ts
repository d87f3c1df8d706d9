import { expect } from 'chai';
import * as keys from '../../indexer/keys.ts';
import type { Cursor, Row, Write } from '../../indexer/rows/rows.ts';
import { createIndexStore, type IndexStore } from '../../indexer/store.ts';
import { CONTRACT } from '../support/fakeChain.ts';
import { useIndexStores } from '../support/indexStores.ts';
import { type StepwiseBatch, withFailingLevel, withLevelMethod, withStepwiseBatches } from '../support/levelMethod.ts';
import { toWord } from '../support/recordLogs.ts';
import { rejectionOf } from '../support/refusals.ts';
import { rowsOf } from '../support/viewFixture.ts';

const cursorAt = (blockNumber: number): Cursor => ({
  layoutVersion: keys.LAYOUT_VERSION,
  contract: CONTRACT,
  blockNumber,
  blockHash: toWord(blockNumber),
});
const TENANT = new Uint8Array(32);
const entry = (number: number): Buffer => keys.postingKey(TENANT, 'list', number);
const put = (block: number, value: Row = toWord(block)): Write => ({ key: entry(block), value });

const refuse = (): Promise<void> => Promise.reject(new Error('no space left'));

describe('index store', () => {
  const { makeDirectory, openStore: open } = useIndexStores();

  it('is empty and has no cursor at first', async () => {
    const store = await open();
    expect(store.readCursor()).to.equal(undefined);
    expect(await rowsOf(store)).to.deep.equal([]);
    expect([store.read(entry(1))]).to.deep.equal([undefined]);
  });

  it('has what was written after it is reopened', async () => {
    const directory = await makeDirectory();
    const store = await open(directory);
    const hostile = Object.fromEntries([['__proto__', 'x']]) as unknown as Row;
    await store.apply([put(2), put(1, 7), put(3, hostile)], cursorAt(5));
    await store.close();
    const again = await open(directory);
    expect(again.readCursor()).to.deep.equal(cursorAt(5));
    expect([again.read(entry(1)), again.read(entry(9)), again.read(entry(2))]).to.deep.equal([7, undefined, toWord(2)]);
    expect(Object.entries([again.read(entry(3))][0]!)).to.deep.equal([['__proto__', 'x']]);
  });

  it("is closed when the names of its files can't be synced", async () => {
    const directory = await makeDirectory();
    const names: string[] = [];
    const syncDirectory = (of: string): Promise<void> => {
      names.push(of);
      return refuse();
    };
    const opening = createIndexStore(directory, { syncDirectory });
    expect(await opening.catch((error: Error) => error.message)).to.equal('no space left');
    expect(names).to.deep.equal([directory]);
    await open(directory);
  });

  it('lists its entries in the order of keys, including the cursor', async () => {
    const store = await open();
    await store.apply([put(300), put(2), put(1)], cursorAt(5));
    expect((await rowsOf(store)).map(([key]) => key)).to.deep.equal(
      [keys.cursorKey(), entry(1), entry(2), entry(300)].map((key) => key.toString('hex')),
    );
  });

  it('applies writes in order: the last one of a key is in effect', async () => {
    const store = await open();
    await store.apply([put(1), { key: entry(1), value: undefined }, put(2), put(2, 7)], cursorAt(1));
    await store.apply([{ key: entry(9), value: undefined }], cursorAt(2));
    await store.written();
    expect([store.read(entry(1)), store.read(entry(2))]).to.deep.equal([undefined, 7]);
    expect(store.readCursor()).to.deep.equal(cursorAt(2));
  });

  it('writes the changes and the cursor in one batch', async () => {
    const store = await open();
    const sizes: number[] = [];
    const write = (batch: StepwiseBatch): Promise<void> => {
      sizes.push(batch.length);
      return batch.write();
    };
    await withStepwiseBatches(write, async () => {
      await store.apply([put(1), put(2)], cursorAt(1));
      await store.written();
    });
    expect(sizes).to.deep.equal([3]);
    expect(store.readCursor()).to.deep.equal(cursorAt(1));
  });

  it('shows rows that are being written, to single reads at once and to a snapshot once it has them', async () => {
    const store = await open();
    await store.apply([put(1), put(2)], cursorAt(1));
    await store.written();
    const order: string[] = [];
    let release = (): void => undefined;
    const hold = async ({ write }: StepwiseBatch): Promise<void> => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      order.push('written');
      await write();
    };
    await withStepwiseBatches(hold, async () => {
      const version = store.version();
      await store.apply([put(1, 7), { key: entry(2), value: undefined }], cursorAt(2));
      expect([store.read(entry(1)), store.read(entry(2))]).to.deep.equal([7, undefined]);
      expect(store.version()).to.not.equal(version);
      const opening = store.snapshot().then((opened) => {
        order.push('snapshot');
        return opened;
      });
      await new Promise(setImmediate);
      release();
      const snapshot = await opening;
      expect([snapshot.read(entry(1)), snapshot.read(entry(2))]).to.deep.equal([7, undefined]);
      await snapshot.close();
    });
    expect(order).to.deep.equal(['written', 'snapshot']);
  });

  const applyRefused = async (store: IndexStore, write: (batch: StepwiseBatch) => Promise<void>): Promise<void> => {
    await store.apply([put(1)], cursorAt(1));
    await store.written();
    await withStepwiseBatches(write, async () => {
      await store.apply([put(2), put(1, 7)], cursorAt(2));
      expect(await rejectionOf(store.written())).to.equal('STORAGE_FULL');
    });
  };

  it('has neither the changes nor the cursor of a failed batch on the disk, and still shows them', async () => {
    const store = await open();
    await applyRefused(store, refuse);
    expect(store.readCursor()).to.deep.equal(cursorAt(1));
    expect([store.read(entry(1)), store.read(entry(2))]).to.deep.equal([7, toWord(2)]);
    expect(await rejectionOf(store.snapshot())).to.equal('STORAGE_FULL');
  });

  it('takes no batch after a failed one until that is written', async () => {
    const store = await open();
    await applyRefused(store, refuse);
    const [refused] = await Promise.allSettled([store.apply([put(3)], cursorAt(3))]);
    expect([refused!.status, store.read(entry(3))]).to.deep.equal(['rejected', undefined]);
    await store.recover();
    await store.apply([put(3)], cursorAt(3));
    expect((await rowsOf(store)).map(([, row]) => row)).to.deep.equal([cursorAt(3), 7, toWord(2), toWord(3)]);
  });

  const writeAndFail = async ({ write }: StepwiseBatch): Promise<void> => {
    await write();
    await refuse();
  };
  for (const [name, write] of [
    ['lacks', refuse],
    ['has', writeAndFail],
  ] as const) {
    it(`writes a failed batch again once it is reopened, also when the disk ${name} it`, async () => {
      const store = await open();
      await applyRefused(store, write);
      expect(await store.recover()).to.equal(true);
      expect([store.failure(), store.readCursor()]).to.deep.equal([undefined, cursorAt(2)]);
      expect((await rowsOf(store)).map(([, row]) => row)).to.deep.equal([cursorAt(2), 7, toWord(2)]);
    });
  }

  it("writes a failed batch again when the cursor couldn't be read once it was reopened", async () => {
    const store = await open();
    await applyRefused(store, refuse);
    const refuseRead = (): never => {
      throw new Error('too many open files');
    };
    const [failed] = await Promise.allSettled([
      withLevelMethod(
        'getSync',
        () => refuseRead,
        () => store.recover(),
      ),
    ]);
    expect(failed.status).to.equal('rejected');
    expect(await store.recover()).to.equal(true);
    await store.apply([put(4)], cursorAt(3));
    expect((await rowsOf(store)).map(([, row]) => row)).to.deep.equal([cursorAt(3), 7, toWord(2), toWord(4)]);
    expect(await store.recover()).to.equal(false);
  });

  it('is empty after it is wiped', async () => {
    const store = await open();
    await store.apply([put(1), put(2)], cursorAt(2));
    store.read(entry(1));
    await store.wipe();
    expect(store.read(entry(1))).to.equal(undefined);
    expect(await rowsOf(store)).to.deep.equal([]);
    expect(store.readCursor()).to.equal(undefined);
  });

  it('has no cursor when its wiping was interrupted, so that it counts as empty', async () => {
    const directory = await makeDirectory();
    const store = await open(directory);
    await store.apply([put(1)], cursorAt(2));
    await withFailingLevel('clear', () => Promise.allSettled([store.wipe()]));
    await store.close();
    const again = await open(directory);
    expect(again.readCursor()).to.equal(undefined);
    expect([again.read(entry(1))]).to.deep.equal([toWord(1)]);
  });

  describe('snapshot', () => {
    it('contains nothing that is written after it', async () => {
      const store = await open();
      await store.apply([put(1), put(2)], cursorAt(1));
      const snapshot = await store.snapshot();
      await store.apply([put(3), put(1, 7), { key: entry(2), value: undefined }], cursorAt(2));
      expect(await snapshot.readMany([entry(1), entry(2), entry(3)])).to.deep.equal([toWord(1), toWord(2), undefined]);
      expect(snapshot.read(entry(2))).to.equal(toWord(2));
      expect(await snapshot.readLast(keys.postingRange(TENANT, 'list'), 9)).to.have.length(2);
      await snapshot.close();
      expect([store.read(entry(1)), store.read(entry(2)), store.read(entry(3))]).to.deep.equal([
        7,
        undefined,
        toWord(3),
      ]);
    });

    it('still contains everything after the store is wiped', async () => {
      const store = await open();
      await store.apply([put(1)], cursorAt(1));
      const snapshot = await store.snapshot();
      await store.wipe();
      expect(snapshot.read(entry(1))).to.equal(toWord(1));
      await snapshot.close();
    });

    it('reads a range from either end, up to a limit', async () => {
      const store = await open();
      const other = keys.postingKey(TENANT, 'lisu', 0);
      await store.apply([...[1, 2, 3, 4].map((number) => put(number)), { key: other, value: 0 }], cursorAt(1));
      const snapshot = await store.snapshot();
      const read = async (from: 'readFirst' | 'readLast', limit: number, ...ends: number[]): Promise<unknown[]> =>
        (await snapshot[from](keys.postingRange(TENANT, 'list', ...ends), limit)).map(([, row]) => row);
      expect(await read('readLast', 9)).to.deep.equal([4, 3, 2, 1].map(toWord));
      expect(await read('readLast', 2)).to.deep.equal([4, 3].map(toWord));
      expect(await read('readLast', 9, 0, 2)).to.deep.equal([2, 1].map(toWord));
      expect(await read('readFirst', 9)).to.deep.equal([1, 2, 3, 4].map(toWord));
      expect(await read('readFirst', 2, 2)).to.deep.equal([2, 3].map(toWord));
      expect(await read('readFirst', 9, 5, 9)).to.deep.equal([]);
      expect(await snapshot.readMany([])).to.deep.equal([]);
      await snapshot.close();
    });

    it('returns bytes as bytes and texts as texts', async () => {
      const store = await open();
      await store.apply([put(1, Uint8Array.of(1, 0xff)), put(2, 'text'), put(3, 0)], cursorAt(1));
      const snapshot = await store.snapshot();
      expect(Buffer.from(snapshot.read(entry(1)) as Uint8Array).toString('hex')).to.equal('01ff');
      expect([snapshot.read(entry(2)), snapshot.read(entry(3))]).to.deep.equal(['text', 0]);
      await snapshot.close();
    });
  });
});
