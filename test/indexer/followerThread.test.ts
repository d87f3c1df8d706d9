import { expect } from 'chai';
import { startDecodingThread } from '../../host/indexing/decodingThread.ts';
import type { FollowerOptions } from '../../indexer/follower.ts';
import { decodeLog } from '../../indexer/projection/decodedRecord.ts';
import type { LogDecoder } from '../../indexer/projection/logDecoder.ts';
import type { IndexStore } from '../../indexer/store.ts';
import type { FakeChain } from '../support/fakeChain.ts';
import { chainWithAsset, follow, useIndexStores } from '../support/indexStores.ts';
import { anEvent, eventOf } from '../support/records.ts';
import { failureOf } from '../support/refusals.ts';
import { rowsOf } from '../support/viewFixture.ts';

describe('a follower with a thread that decodes logs', () => {
  const { openStore } = useIndexStores();
  const onWipe = (reason: string): never => expect.fail(reason);

  const build = async (chain: FakeChain, options: Partial<FollowerOptions>): Promise<IndexStore> => {
    const store = await openStore();
    await (await follow({ chain, store, onWipe, ...options })).catchUp();
    return store;
  };

  const MANY_BLOCKS = 1_100;
  const longChain = (): FakeChain => {
    const chain = chainWithAsset();
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
    expect((await build(chainWithAsset(), { startDecoder })).readCursor()?.blockNumber).to.equal(1);
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
    const follower = await follow({ chain, store, onWipe, batchRecords: 40, startDecoder: startFailing });
    expect(await failureOf(follower.catchUp())).to.have.property('message', 'the thread is gone');
    expect(closed).to.deep.equal(['thread']);
    const reached = store.readCursor()!.blockNumber;
    expect(reached).to.be.above(0).and.below(MANY_BLOCKS);
    await follower.catchUp();
    expect(await rowsOf(store)).to.deep.equal(await rowsOf(await build(chain, { batchRecords: 40 })));
  });
});
