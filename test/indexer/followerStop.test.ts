// The end of a follower: nothing uses its store afterwards.
import { expect } from 'chai';
import { chainWithAsset, follow, useIndexStores } from '../support/indexStores.ts';
import { rejectionOf } from '../support/refusals.ts';

describe('a follower that is stopped', () => {
  const { openStore } = useIndexStores();

  it('ends the run in progress, and refuses others', async () => {
    const chain = chainWithAsset();
    const store = await openStore();
    const follower = await follow({ chain, store, onWipe: () => undefined });
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    chain.beforeFetch = () => {
      asked.resolve();
      return answered.promise;
    };
    const running = follower.catchUp();
    await asked.promise;
    const versionAtEnd = follower.stop().then(() => store.version());
    const queued = rejectionOf(follower.refresh());
    answered.resolve();
    await running;
    expect(await versionAtEnd).to.equal(store.version());
    expect(store.readCursor()?.blockNumber).to.equal(1);
    const later = chain.mine();
    expect(await Promise.all([queued, rejectionOf(follower.catchUpTo(later))])).to.deep.equal(['STOPPING', 'STOPPING']);
    expect(store.readCursor()?.blockNumber).to.equal(1);
  });
});
