import { expect } from 'chai';
import { startDecodingThread } from '../../host/indexing/decodingThread.ts';
import { createFollower, type Follower, type FollowerOptions } from '../../indexer/follower.ts';
import { decodeLog } from '../../indexer/projection/decodedRecord.ts';
import type { LogDecoder } from '../../indexer/projection/logDecoder.ts';
import { createIndexStore, type IndexStore } from '../../indexer/store.ts';
import { useDirectories } from '../support/directories.ts';
import { CONTRACT, createFakeChain, type FakeChain } from '../support/fakeChain.ts';
import { ALPHA, aCreation, anEvent, aTenantRecord, eventOf } from '../support/records.ts';
import { failureOf } from '../support/refusals.ts';
import { rowsOf } from '../support/viewFixture.ts';

describe('a follower with a thread that decodes logs', () => {
  const makeDirectory = useDirectories();
  const opened: IndexStore[] = [];
  const openStore = async (): Promise<IndexStore> => {
    const store = await createIndexStore(await makeDirectory());
    opened.push(store);
    return store;
  };
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));

  const chainOf = (): FakeChain => {
    const chain = createFakeChain();
    chain.mine({ record: aTenantRecord(ALPHA) }, { record: aCreation() });
    return chain;
  };
  const follow = (chain: FakeChain, store: IndexStore, options: Partial<FollowerOptions>): Promise<Follower> =>
    createFollower({
      chain,
      store,
      contract: CONTRACT,
      deploymentBlock: 1,
      pageBlocks: 2,
      onWipe: (reason) => expect.fail(reason),
      ...options,
    });
  const build = async (chain: FakeChain, options: Partial<FollowerOptions>): Promise<IndexStore> => {
    const store = await openStore();
    await (await follow(chain, store, options)).catchUp();
    return store;
  };

  const MANY_BLOCKS = 1_100;
  const longChain = (): FakeChain => {
    const chain = chainOf();
    for (let number = 10; number < 10 + MANY_BLOCKS; number += 1) {
      const identity = eventOf(1, number);
      if (number % 5 === 0) chain.mine({ record: anEvent({ identity, asset_attributes: { weight: String(number) } }) });
      else chain.mine();
    }
    return chain;
  };

  it('builds the same index as without', async () => {
    const chain = longChain();
    const options = { batchRecords: 40 };
    const alone = await rowsOf(await build(chain, options));
    const reported: number[] = [];
    const onProgress = (block: number): number => reported.push(block);
    const withThread = await build(chain, { ...options, startDecoder: startDecodingThread, onProgress });
    expect(await rowsOf(withThread)).to.deep.equal(alone);
    expect(reported.length).to.be.at.least(4);
    expect(reported).to.deep.equal([...reported].sort((a, b) => a - b));
  });

  it('starts none for few blocks', async () => {
    const startDecoder = () => expect.fail('a thread was started');
    expect((await build(chainOf(), { startDecoder })).readCursor()?.blockNumber).to.equal(1);
  });

  it('ends with the error of the thread, leaves no gap, and continues from there', async () => {
    const chain = longChain();
    const store = await openStore();
    const closed: string[] = [];
    const startFailing = (): LogDecoder => {
      let batches = 0;
      return {
        decode: async (logs) => {
          batches += 1;
          if (batches === 3) throw new Error('the thread is gone');
          return { records: logs.map(decodeLog), digestOf: undefined };
        },
        close: async () => {
          closed.push('thread');
        },
      };
    };
    const follower = await follow(chain, store, { batchRecords: 40, startDecoder: startFailing });
    expect(await failureOf(follower.catchUp())).to.have.property('message', 'the thread is gone');
    expect(closed).to.deep.equal(['thread']);
    const reached = store.readCursor()!.blockNumber;
    expect(reached).to.be.above(0).and.below(MANY_BLOCKS);
    await follower.catchUp();
    expect(await rowsOf(store)).to.deep.equal(await rowsOf(await build(chain, { batchRecords: 40 })));
  });
});
