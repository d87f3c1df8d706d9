import { expect } from 'chai';
import fc from 'fast-check';
import type { Follower, FollowerOptions } from '../../indexer/follower.ts';
import { counterKey, cursorKey } from '../../indexer/keys.ts';
import { encodeRow } from '../../indexer/rows/rows.ts';
import type { IndexStore } from '../../indexer/store.ts';
import { toKey } from '../../ledger/identity.ts';
import { CONTRACT, createFakeChain, type FakeChain } from '../support/fakeChain.ts';
import { blocks as histories } from '../support/histories.ts';
import { createIndexModel } from '../support/indexModel.ts';
import { follow as followWith, useIndexStores } from '../support/indexStores.ts';
import { type StepwiseBatch, withFailingLevel, withStepwiseBatches } from '../support/levelMethod.ts';
import { runs } from '../support/propertyRuns.ts';
import { ALPHA, aCreation, anEvent, aTenantRecord, eventOf } from '../support/records.ts';
import { rejectionOf } from '../support/refusals.ts';
import { until } from '../support/until.ts';
import { rowsOf } from '../support/viewFixture.ts';

const BLOCKS = [
  [{ record: aTenantRecord(ALPHA) }],
  [],
  [{ record: aCreation() }, { record: anEvent() }],
  [{ record: anEvent({ identity: eventOf(1, 5), asset_attributes: { weight: '1' } }) }],
  [],
];

describe('follower', () => {
  const { makeDirectory, closeAll, openStore } = useIndexStores();

  const chainOf = (name?: string): FakeChain => {
    const chain = createFakeChain(name);
    for (const block of BLOCKS) chain.mine(...block);
    return chain;
  };
  const wipes: string[] = [];
  beforeEach(() => wipes.splice(0));
  const follow = (chain: FakeChain, store: IndexStore, options: Partial<FollowerOptions> = {}): Promise<Follower> =>
    followWith({ chain, store, onWipe: (reason) => wipes.push(reason), ...options });
  // An index of the chain, built from the beginning.
  const build = async (chain: FakeChain, options: Partial<FollowerOptions> = {}): Promise<IndexStore> => {
    const store = await openStore();
    await (await follow(chain, store, options)).catchUp();
    return store;
  };

  it('reads the chain from the deployment on, page by page, and reports its progress', async () => {
    const chain = chainOf();
    const progress: number[][] = [];
    await build(chain, { deploymentBlock: 2, onProgress: (...reported) => progress.push(reported) });
    expect(chain.fetched).to.deep.equal([
      [2, 3],
      [4, 5],
    ]);
    expect(progress).to.deep.equal([[5, 5, 3]]);
    expect(wipes).to.deep.equal([]);
  });

  it('moves its cursor to the head, with the hash of that block', async () => {
    const chain = chainOf();
    const store = await build(chain);
    expect(store.readCursor()).to.include({
      blockNumber: 5,
      blockHash: await chain.fetchBlockHash(5),
      contract: CONTRACT,
    });
  });

  it('writes the rows that the projection returns for the logs', async () => {
    const chain = chainOf();
    const model = createIndexModel();
    model.take(...chain.logs);
    const cursor = cursorKey().toString('hex');
    const rows = (await rowsOf(await build(chain))).filter(([key]) => key !== cursor);
    const bytes = rows.map(([key, row]) => [key, Buffer.from(encodeRow(row)).toString('hex')]);
    expect(bytes).to.deep.equal(model.rows());
  });

  it('continues from its cursor, also after a restart', async () => {
    const chain = chainOf();
    const directory = await makeDirectory();
    const store = await openStore(directory);
    await (await follow(chain, store)).catchUp();
    await store.close();
    chain.fetched.splice(0);
    chain.mine({ record: anEvent({ identity: eventOf(1, 9) }) });
    const again = await openStore(directory);
    await (await follow(chain, again)).catchUp();
    expect(chain.fetched).to.deep.equal([[6, 6]]);
    expect(await rowsOf(again)).to.deep.equal(await rowsOf(await build(chain)));
  });

  it('does nothing at the head', async () => {
    const chain = chainOf();
    const store = await openStore();
    const follower = await follow(chain, store);
    await follower.catchUp();
    chain.fetched.splice(0);
    await follower.catchUp();
    expect(chain.fetched).to.deep.equal([]);
  });

  it('runs once for concurrent calls', async () => {
    const chain = chainOf();
    const follower = await follow(chain, await openStore());
    await Promise.all([follower.catchUp(), follower.catchUp(), follower.catchUpTo(3), follower.catchUpTo(5)]);
    expect(chain.fetched).to.deep.equal([
      [1, 2],
      [3, 4],
      [5, 5],
    ]);
    expect(chain.headFetches()).to.equal(1);
  });

  // The chain announces such a block once, and may make no other for a long time.
  for (const call of ['catchUp', 'refresh', 'catchUpTo'] as const) {
    it(`${call} indexes a block that was added after a run in progress had asked for the head`, async () => {
      const chain = chainOf();
      const store = await openStore();
      const follower = await follow(chain, store);
      const { promise, resolve } = Promise.withResolvers<void>();
      chain.beforeFetch = () => promise;
      const running = follower.catchUp();
      await until(() => chain.headFetches() === 1);
      const block = chain.mine({ record: anEvent({ identity: eventOf(1, 9) }) });
      const reached = follower[call](block);
      resolve();
      await Promise.all([running, reached]);
      await store.written();
      expect(store.readCursor()?.blockNumber).to.equal(block);
    });
  }

  it('refuses to catch up to a block that the chain does not have', async () => {
    const chain = chainOf();
    const follower = await follow(chain, await openStore());
    expect(await rejectionOf(follower.catchUpTo(6))).to.equal('CHAIN_UNAVAILABLE');
    chain.mine();
    expect(await rejectionOf(follower.catchUpTo(6))).to.equal('NOT_REFUSED');
  });

  it('keeps its cursor when the chain fails, and continues from it', async () => {
    const chain = chainOf();
    const store = await openStore();
    const follower = await follow(chain, store);
    chain.beforeFetch = async () => {
      if (chain.fetched.length === 1 && chain.failingFetches === 0) chain.failingFetches = 1;
    };
    expect(await rejectionOf(follower.catchUp())).to.equal('CHAIN_UNAVAILABLE');
    expect(store.readCursor()).to.equal(undefined);
    chain.beforeFetch = async () => undefined;
    await follower.catchUp();
    expect(chain.fetched).to.deep.equal([
      [1, 2],
      [1, 2],
      [3, 4],
      [5, 5],
    ]);
    expect(await rowsOf(store)).to.deep.equal(await rowsOf(await build(chain)));
  });

  it('indexes no record twice when the chain fails while records are being written', async () => {
    const chain = createFakeChain();
    chain.mine({ record: aTenantRecord(ALPHA) }, { record: aCreation() });
    chain.mine({ record: anEvent({ identity: eventOf(1, 9_999) }) });
    const store = await openStore();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const hold = async ({ write }: StepwiseBatch): Promise<void> => {
      await released;
      await write();
    };
    const follower = await follow(chain, store, { pageBlocks: 1, batchRecords: 2 });
    chain.beforeFetch = async () => {
      if (chain.fetched.length === 1) chain.failingFetches = 1;
    };
    await withStepwiseBatches(hold, async () => {
      expect(await rejectionOf(follower.catchUp())).to.equal('CHAIN_UNAVAILABLE');
      chain.beforeFetch = async () => undefined;
      const again = follower.catchUp();
      release();
      await again;
    });
    expect(store.read(counterKey(toKey(ALPHA), 'events'))).to.equal(2);
    expect(await rowsOf(store)).to.deep.equal(await rowsOf(await build(chain)));
  });

  it('continues from what is written after a failed write', async () => {
    const chain = chainOf();
    const store = await openStore();
    const follower = await follow(chain, store);
    await withFailingLevel('batch', async () => {
      expect((await Promise.allSettled([follower.catchUp()]))[0]!.status).to.equal('rejected');
    });
    await follower.catchUp();
    expect(await rowsOf(store)).to.deep.equal(await rowsOf(await build(chain)));
  });

  it('reports and rebuilds an index that belongs to another contract', async () => {
    const store = await build(chainOf());
    const [chain, options] = [chainOf(), { contract: `0x${'dd'.repeat(20)}` as const }];
    await (await follow(chain, store, options)).catchUp();
    expect(wipes).to.have.length(1);
    expect(await rowsOf(store)).to.deep.equal(await rowsOf(await build(chain, options)));
  });

  const mineTo = (chain: FakeChain, number: number): void => {
    while (chain.mine() < number);
  };

  it('keeps an index whose block is not final, and continues it when that block is', async () => {
    const store = await build(chainOf());
    const before = await rowsOf(store);
    const chain = createFakeChain();
    const follower = await follow(chain, store);
    await follower.catchUp();
    mineTo(chain, 4);
    await follower.catchUp();
    expect(await rowsOf(store)).to.deep.equal(before);
    mineTo(chain, 7);
    await follower.catchUp();
    expect(chain.fetched).to.deep.equal([[6, 7]]);
    expect(wipes).to.deep.equal([]);
  });

  it('wipes and rebuilds an index with another layout', async () => {
    const chain = chainOf();
    const store = await build(chain);
    const cursor = store.readCursor()!;
    await store.apply([{ key: Buffer.from('old row'), value: 1 }], { ...cursor, layoutVersion: 0 });
    await (await follow(chain, store)).catchUp();
    expect(wipes).to.have.length(1);
    expect(await rowsOf(store)).to.deep.equal(await rowsOf(await build(chain)));
  });

  it('rebuilds an index without a report when its wiping was interrupted', async () => {
    const chain = chainOf();
    const store = await build(chain);
    await store.apply([{ key: Buffer.from('left over'), value: 1 }], store.readCursor()!);
    await withFailingLevel('clear', () => Promise.allSettled([store.wipe()]));
    expect(await rowsOf(store)).to.not.deep.equal([]);
    await (await follow(chain, store)).catchUp();
    expect(wipes).to.deep.equal([]);
    expect(await rowsOf(store)).to.deep.equal(await rowsOf(await build(chain)));
  });

  it('builds the same index, key by key, from the beginning or while the chain grows, with any size of pages', async () => {
    const pages = fc.integer({ min: 1, max: 5 });
    const stopped = fc.array(fc.boolean());
    const check = fc.asyncProperty(histories, pages, pages, stopped, async (blocks, some, more, stops) => {
      const chain = createFakeChain();
      const store = await openStore();
      let follower = await follow(chain, store, { pageBlocks: some });
      for (const [at, block] of blocks.entries()) {
        const number = chain.mine(...block);
        if (stops[at] === true) await follower.catchUpTo(number);
        if (stops[at] === false) follower = await follow(chain, store, { pageBlocks: some });
      }
      await follower.catchUp();
      const rebuilt = await build(chain, { pageBlocks: more });
      expect(await rowsOf(store)).to.deep.equal(await rowsOf(rebuilt));
      await closeAll();
    });
    await fc.assert(check, runs(20));
  });
});
