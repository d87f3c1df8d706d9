// A chain that goes on after a filled index: it gets a block of new events at a steady rate.
import type { FollowedChain, RecordLog } from '../../chain/port.ts';
import type { Follower } from '../../indexer/follower.ts';
import { createToLogs, hashOf } from '../reads/benchChain.ts';
import type { BenchTenant } from '../reads/readsLedger.ts';

/** Events of one block, about those that a batch of an installation has at this rate. */
const BLOCK_EVENTS = 4;

/** A chain whose new blocks are kept until they are fetched. */
export interface GrowingChain extends FollowedChain {
  /** Adds blocks of events at this rate and has them followed. Returns a function that ends it. */
  grow(follower: Follower, eventsPerSecond: number): () => Promise<void>;
  /** The events added so far. */
  added(): number;
}

/**
 * Creates the chain at the head of a filled index of this many blocks. `tenant` has generated the records of the index.
 */
export const createGrowingChain = (tenant: BenchTenant, filledBlocks: number): GrowingChain => {
  const toLogs = createToLogs();
  const blocks = new Map<number, RecordLog[]>();
  let head = filledBlocks;
  let added = 0;
  const addBlock = (): void => {
    head += 1;
    added += BLOCK_EVENTS;
    const timestampSeconds = Math.ceil(tenant.toCommittedMs(tenant.events + added) / 1000);
    blocks.set(head, toLogs({ number: head, timestampSeconds }, tenant.identity, tenant.take(BLOCK_EVENTS)));
  };
  const grow = (follower: Follower, eventsPerSecond: number): (() => Promise<void>) => {
    const startedMs = performance.now();
    const addedBefore = added;
    let following: Promise<void> = Promise.resolve();
    // When the event loop is late, the blocks of that time are added at once.
    const timer = setInterval(
      () => {
        const due = addedBefore + ((performance.now() - startedMs) / 1000) * eventsPerSecond;
        while (added < due) addBlock();
        following = follower.catchUp();
      },
      (1000 * BLOCK_EVENTS) / eventsPerSecond,
    );
    return () => {
      clearInterval(timer);
      return following;
    };
  };
  return {
    grow,
    added: () => added,
    fetchFinalHead: async () => ({ number: head, hash: hashOf(head) }),
    fetchBlockHash: async (number) => hashOf(number),
    fetchContractLogs: async ({ fromBlock, toBlock }) => {
      const logs: RecordLog[] = [];
      for (let block = fromBlock; block <= toBlock; block += 1) {
        logs.push(...(blocks.get(block) ?? []));
        blocks.delete(block);
      }
      return { records: logs, attestations: [] };
    },
  };
};
