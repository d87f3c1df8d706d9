// The index of a running server, behind a chain that is away at times and makes blocks all the time.
import { expect } from 'chai';
import { createHeadListeners } from '../../chain/headListeners.ts';
import { followChain } from '../../host/followedChain.ts';
import { createIndexStore } from '../../indexer/store.ts';
import { createFakeChain } from '../support/fakeChain.ts';
import { follow, useIndexStores } from '../support/indexStores.ts';
import { ALPHA, aTenantRecord } from '../support/records.ts';
import { useVirtualTime } from '../support/virtualTime.ts';

/** After this pause an index that is behind tries again. */
const PAUSE_MS = 1_000;

describe('the index of a running server', () => {
  const time = useVirtualTime();
  const { makeDirectory, openStore } = useIndexStores();

  const openFollowed = async () => {
    const directory = await makeDirectory();
    const store = await openStore(directory);
    const chain = createFakeChain();
    const heads = createHeadListeners();
    chain.mine({ record: aTenantRecord(ALPHA) });
    const follower = await follow({ chain, store, onWipe: () => undefined });
    const problems: string[] = [];
    const finalMark = { note: () => undefined };
    const followed = { chain: { onFinalHead: heads.add }, store, follower, finalMark };
    await follower.catchUp();
    const stop = followChain(followed, (message) => problems.push(message));
    const mine = (): void => {
      const number = chain.mine();
      heads.announce({ number, hash: '0x' });
    };
    // Two blocks at a time: the second comes while the index waits, in vain, for the logs of the first.
    const mineAway = async (): Promise<void> => {
      chain.failingFetches = Number.POSITIVE_INFINITY;
      for (let pair = 1; pair <= 3; pair += 1) {
        const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        chain.beforeFetch = () => {
          asked.resolve();
          return answered.promise;
        };
        mine();
        await asked.promise;
        mine();
        await time.turns();
        answered.resolve();
        await time.pass(PAUSE_MS / 10);
      }
    };
    return { directory, store, chain, problems, stop, mineAway };
  };

  // In steps: timers that expire in one step would share a run.
  const passPauses = async (pauses: number): Promise<void> => {
    for (let step = 1; step <= pauses * 10; step += 1) await time.pass(PAUSE_MS / 10);
  };

  it('tries again once in a pause, however many blocks came while the chain was away', async () => {
    const { chain, mineAway, problems, stop } = await openFollowed();
    await mineAway();
    const before = chain.headFetches();
    await passPauses(3);
    expect(chain.headFetches() - before).to.equal(3);
    chain.failingFetches = 0;
    await passPauses(1);
    expect(problems).to.deep.equal(['the index is behind the chain', 'the index has caught up with the chain again']);
    await stop();
  });

  it('is not tried again after a mistake of the program, which is raised', async () => {
    const heads = createHeadListeners();
    const store = await openStore(await makeDirectory());
    const mistake = new TypeError('x is not a function');
    const defects: unknown[] = [];
    let runs = 0;
    const catchUp = async (): Promise<never> => {
      runs += 1;
      throw mistake;
    };
    const follower = { ...(await follow({ chain: createFakeChain(), store, onWipe: () => undefined })), catchUp };
    const finalMark = { note: () => undefined };
    const followed = { chain: { onFinalHead: heads.add }, store, follower, finalMark };
    const stop = followChain(
      followed,
      () => undefined,
      (cause) => defects.push(cause),
    );
    heads.announce({ number: 1, hash: '0x' });
    await passPauses(2);
    expect([runs, defects]).to.deep.equal([1, [mistake]]);
    await stop();
  });

  it('is not read, written or opened again after its end', async () => {
    const { chain, directory, mineAway, stop, store } = await openFollowed();
    await mineAway();
    await stop();
    await store.close();
    chain.failingFetches = 0;
    const before = chain.headFetches();
    await passPauses(2);
    await (await createIndexStore(directory)).close();
    expect(chain.headFetches()).to.equal(before);
  });
});
