// When those who wait for a transaction look at the chain.
import { expect } from 'chai';
import { createBlockWatch } from '../../../chain/network/blockWatch.ts';
import type { NodeSet } from '../../../chain/network/nodeSet.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { createFakeClient, type FakeClient, hashOf } from '../../support/fakeClient.ts';

const POLL_MS = 500;
const hashes = [hashOf('transaction', 1)];

describe('a watch of blocks', () => {
  let client: FakeClient;
  let contents: Map<number, Hex[]>;
  beforeEach(() => {
    client = createFakeClient('node');
    contents = new Map();
    const answer = client.methods.eth_getBlockByNumber!;
    client.methods.eth_getBlockByNumber = (...params: never[]) => {
      const block = answer(...params) as { number: string } | null;
      return block && { ...block, transactions: contents.get(Number(block.number)) ?? [] };
    };
  });
  const create = (pollMs = POLL_MS) =>
    createBlockWatch({ nodes: { use: (task) => task(client) } as Pick<NodeSet, 'use'>, pollMs });
  const seen = async (watch: ReturnType<typeof create>): Promise<void> => {
    await watch.awaitTransaction(hashes, undefined);
  };

  it('wakes at the first block that it sees, which may follow unseen ones', async () => {
    await seen(create());
  });

  it('wakes for a block with the transaction, also if others came at the same time', async () => {
    const watch = create();
    await seen(watch);
    const waiting = watch.awaitTransaction(hashes, undefined);
    contents.set(11, hashes);
    client.head = 13;
    await waiting;
    expect(client.requested.length).to.be.at.most(5);
  });

  it('wakes all at once for a block of other transactions only after 3 of them', async () => {
    const watch = create();
    await seen(watch);
    let isAwake = false;
    const waiting = watch.awaitTransaction(hashes, undefined).then(() => {
      isAwake = true;
    });
    client.head = 12;
    await watch.awaitBlock(undefined);
    expect(isAwake).to.equal(false);
    client.head = 13;
    await waiting;
  });

  it('wakes when another branch replaces the blocks that it has seen', async () => {
    const watch = create();
    await seen(watch);
    const waiting = watch.awaitTransaction(hashes, undefined);
    client.fork = { name: 'two', from: 10 };
    client.head = 11;
    await waiting;
  });

  it('wakes soon for a transaction of a block that it has seen, whose receipt is still missing', async () => {
    const watch = create();
    await seen(watch);
    const waiting = watch.awaitTransaction(hashes, undefined);
    contents.set(11, hashes);
    client.head = 11;
    await waiting;
    const sinceMs = performance.now();
    await watch.awaitTransaction(hashes, undefined);
    expect(performance.now() - sinceMs).to.be.below(POLL_MS);
  });

  it('wakes after ten polls while no node answers', async () => {
    client.isDown = true;
    await create(5).awaitTransaction(hashes, undefined);
  });

  it('asks for nothing while nobody waits', async () => {
    const watch = create(1);
    await seen(watch);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { length } = client.requested;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(client.requested).to.have.length(length);
  });

  it('ends with the reason of its signal', async () => {
    const stopping = new AbortController();
    const waiting = create().awaitTransaction(hashes, stopping.signal);
    stopping.abort(new Error('stops'));
    expect(await waiting.catch((error: Error) => error.message)).to.equal('stops');
    const again = create().awaitBlock(stopping.signal);
    expect(await again.catch((error: Error) => error.message)).to.equal('stops');
  });
});
