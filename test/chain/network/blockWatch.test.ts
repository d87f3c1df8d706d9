// When those who wait for a transaction look at the chain.
import { expect } from 'chai';
import { type BlockWatchOptions, createBlockWatch } from '../../../chain/network/blockWatch.ts';
import type { NodeSet } from '../../../chain/network/nodeSet.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { createFakeClient, type FakeClient, hashOf } from '../../support/fakeClient.ts';
import { useVirtualTime } from '../../support/virtualTime.ts';

const POLL_MS = 500;
/** Time from one look to the next. */
const LOOK_MS = 50;
const hashes = [hashOf('transaction', 1)];

describe('a watch of blocks', () => {
  const time = useVirtualTime();
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
  const create = (pollMs = POLL_MS, heads?: BlockWatchOptions['heads']) =>
    createBlockWatch({ nodes: { use: (task) => task(client) } as Pick<NodeSet, 'use'>, pollMs, heads });
  /** Lets looks happen until the promise is resolved. */
  const settle = async (waiting: Promise<void>): Promise<void> => {
    let isOver = false;
    void waiting.finally(() => {
      isOver = true;
    });
    await time.passUntil(() => isOver, LOOK_MS);
    return waiting;
  };
  const seen = (watch: ReturnType<typeof create>): Promise<void> => settle(watch.awaitTransaction(hashes, undefined));
  /** Waits for a transaction, and says whether that has ended. */
  const watchWaiting = (watch: ReturnType<typeof create>) => {
    let isAwake = false;
    const waiting = watch.awaitTransaction(hashes, undefined).then(() => {
      isAwake = true;
    });
    return { waiting, isAwake: () => isAwake };
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
    await settle(waiting);
    expect(client.requested.length).to.be.at.most(5);
  });

  it('wakes all at once for a block of other transactions only after 3 of them', async () => {
    const watch = create();
    await seen(watch);
    const { waiting, isAwake } = watchWaiting(watch);
    client.head = 12;
    await settle(watch.awaitBlock(undefined));
    expect(isAwake()).to.equal(false);
    client.head = 13;
    await settle(waiting);
  });

  it('wakes when another branch replaces the blocks that it has seen', async () => {
    const watch = create();
    await seen(watch);
    const waiting = watch.awaitTransaction(hashes, undefined);
    client.fork = { name: 'two', from: 10 };
    client.head = 11;
    await settle(waiting);
  });

  it('wakes soon for a transaction of a block that it has seen, whose receipt is still missing', async () => {
    const watch = create();
    await seen(watch);
    const waiting = watch.awaitTransaction(hashes, undefined);
    contents.set(11, hashes);
    client.head = 11;
    await settle(waiting);
    const { isAwake } = watchWaiting(watch);
    await time.pass(LOOK_MS);
    expect(isAwake()).to.equal(true);
  });

  it('wakes after ten polls while no node answers', async () => {
    client.isDown = true;
    const { isAwake } = watchWaiting(create());
    await time.pass(10 * POLL_MS - 1);
    expect(isAwake()).to.equal(false);
    await time.pass(1);
    expect(isAwake()).to.equal(true);
  });

  it('asks for nothing while nobody waits', async () => {
    await seen(create());
    const { length } = client.requested;
    for (let look = 0; look < 20; look += 1) await time.pass(LOOK_MS);
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

  describe('where blocks are announced', () => {
    /** No poll happens within the test. */
    const NEVER_MS = 3_600_000;
    let announce: () => void;
    let isLive: boolean;
    const heads = {
      get isLive() {
        return isLive;
      },
      onHead: (listener: () => void) => {
        announce = listener;
        return () => undefined;
      },
    };
    // A block that is announced, and found.
    const announceNext = async (watch: ReturnType<typeof create>): Promise<void> => {
      const waiting = watch.awaitBlock(undefined);
      client.head += 1;
      announce();
      await settle(waiting);
      // Nobody waits now, and the looks end.
      await time.turns();
    };
    const asked = (count: number) => time.passUntil(() => client.requested.length >= count, LOOK_MS);
    // Waits for a transaction that no block has, after a block that was announced: `length` requests, then one look.
    const waitAfterAnnounced = async (pollMs: number) => {
      const watch = create(pollMs, heads);
      await seen(watch);
      await announceNext(watch);
      const ended = new AbortController();
      const waiting = watch.awaitTransaction(hashes, ended.signal).catch(() => undefined);
      const { length } = client.requested;
      await asked(length + 1);
      const end = async (): Promise<void> => {
        ended.abort();
        await waiting;
      };
      return { length, end };
    };
    beforeEach(() => {
      isLive = true;
    });

    it('looks at each announced block, and polls no more', async () => {
      const watch = create(NEVER_MS, heads);
      await seen(watch);
      await announceNext(watch);
      const waiting = watch.awaitTransaction(hashes, undefined);
      const { length } = client.requested;
      // The first look of those who begin to wait.
      await asked(length + 1);
      await time.pass(NEVER_MS - 1);
      expect(client.requested).to.have.length(length + 1);
      client.head += 1;
      contents.set(client.head, hashes);
      announce();
      await settle(waiting);
    });

    it('polls as without announcements when none comes, or the subscription is lost', async () => {
      const watch = create(NEVER_MS, heads);
      await seen(watch);
      const unannounced = watch.awaitBlock(undefined);
      await asked(3);
      client.head += 1;
      await settle(unannounced);
      await announceNext(watch);
      isLive = false;
      const { length } = client.requested;
      const lost = watch.awaitBlock(undefined);
      await asked(length + 3);
      client.head += 1;
      await settle(lost);
    });

    it('polls again after a block that was not announced', async () => {
      const { length, end } = await waitAfterAnnounced(POLL_MS);
      client.head += 1;
      await asked(length + 2);
      for (let look = 0; look < 4; look += 1) await time.pass(LOOK_MS);
      expect(client.requested).to.have.length(length + 6);
      await end();
    });

    it('looks again soon when the node that is asked lacks the announced block', async () => {
      const watch = create(NEVER_MS, heads);
      await seen(watch);
      await announceNext(watch);
      const waiting = watch.awaitTransaction(hashes, undefined);
      const { length } = client.requested;
      await asked(length + 1);
      announce();
      await asked(length + 2);
      client.head += 1;
      contents.set(client.head, hashes);
      await settle(waiting);
    });

    it('looks a few times, and not without end, for announced blocks that never come', async () => {
      const { length, end } = await waitAfterAnnounced(NEVER_MS);
      announce();
      await asked(length + 6);
      for (let look = 0; look < 20; look += 1) await time.pass(LOOK_MS);
      expect(client.requested).to.have.length(length + 6);
      await end();
    });
  });
});
