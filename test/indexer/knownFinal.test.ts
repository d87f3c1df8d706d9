// What a follower does on a chain that has replaced blocks that were final.
import { expect } from 'chai';
import type { FollowerOptions } from '../../indexer/follower.ts';
import { createKnownFinals } from '../../indexer/knownFinal.ts';
import type { IndexStore } from '../../indexer/store.ts';
import { createFakeChain, type FakeChain } from '../support/fakeChain.ts';
import { follow as followWith, useIndexStores } from '../support/indexStores.ts';
import { ALPHA, aCreation, anEvent, aTenantRecord } from '../support/records.ts';
import { rejectionOf } from '../support/refusals.ts';
import { rowsOf } from '../support/viewFixture.ts';

const BLOCKS = [[{ record: aTenantRecord(ALPHA) }], [], [{ record: aCreation() }, { record: anEvent() }], []];

describe('blocks that were final', () => {
  const { openStore } = useIndexStores();
  const wipes: string[] = [];
  beforeEach(() => wipes.splice(0));

  const chainOf = (name?: string): FakeChain => {
    const chain = createFakeChain(name);
    for (const block of BLOCKS) chain.mine(...block);
    return chain;
  };
  const follow = (chain: FakeChain, store: IndexStore, options: Partial<FollowerOptions> = {}) =>
    followWith({ chain, store, onWipe: (reason) => wipes.push(reason), ...options });
  const build = async (chain: FakeChain): Promise<IndexStore> => {
    const store = await openStore();
    await (await follow(chain, store)).catchUp();
    return store;
  };
  const mineTo = (chain: FakeChain, number: number): void => {
    while (chain.mine() < number);
  };

  it('are required of a chain: those of the index, also for another layout or contract', async () => {
    const store = await build(chainOf());
    const before = await rowsOf(store);
    expect(await rejectionOf(follow(chainOf('another'), store))).to.equal('CHAIN_REPLACED');
    const contract = `0x${'dd'.repeat(20)}` as const;
    expect(await rejectionOf(follow(chainOf('another'), store, { contract }))).to.equal('CHAIN_REPLACED');
    expect(await rowsOf(store)).to.deep.equal(before);
    await store.apply([], { ...store.readCursor()!, layoutVersion: 0 });
    expect(await rejectionOf(follow(chainOf('another'), store))).to.equal('CHAIN_REPLACED');
    expect(wipes).to.deep.equal([]);
  });

  it('are required before an empty index begins', async () => {
    const { blockNumber: number, blockHash: hash } = (await build(chainOf())).readCursor()!;
    const finals = () => createKnownFinals([{ number, hash, writtenIn: 'a test' }]);
    const store = await openStore();
    expect(await rejectionOf(follow(chainOf('another'), store, { finals: finals() }))).to.equal('CHAIN_REPLACED');
    expect(await rejectionOf(follow(createFakeChain(), store, { finals: finals() }))).to.equal('CHAIN_UNAVAILABLE');
    expect(store.readCursor()).to.equal(undefined);
    await (await follow(chainOf(), store, { finals: finals() })).catchUp();
    expect(store.readCursor()?.blockNumber).to.equal(number);
  });

  it('are compared when the chain reaches them, before another one is indexed', async () => {
    const store = await build(chainOf());
    const chain = createFakeChain('another');
    const follower = await follow(chain, store);
    await follower.catchUp();
    expect(wipes).to.deep.equal([]);
    const before = await rowsOf(store);
    mineTo(chain, 7);
    expect(await rejectionOf(follower.catchUp())).to.equal('CHAIN_REPLACED');
    expect(follower.findReplaced()?.code).to.equal('CHAIN_REPLACED');
    expect(await rowsOf(store)).to.deep.equal(before);
    expect(wipes).to.deep.equal([]);
  });
});
