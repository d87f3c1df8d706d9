// Blocks that were final before this process began. Nothing is indexed and nothing is wiped before the chain has them
// again: a majority of nodes, or the only one, may be on a fork with valid hashes.
import type { BlockRef, FollowedChain } from '../chain/port.ts';
import { LedgerError } from '../ledger/errors.ts';

/** A block that was final, and where that is written. */
export interface KnownFinal extends BlockRef {
  readonly writtenIn: string;
}

type Hashes = Pick<FollowedChain, 'fetchBlockHash'>;

const REMEDY =
  'If the nodes are wrong, wait or use others. If the whole network has replaced it: npm run rebuild uses the chain as ' +
  'it is now, and names the records that it no longer has';

/** The refusal of a chain that has replaced a final block by that of `hash`. */
export const refuseReplaced = ({ number, hash, writtenIn }: KnownFinal, found: string): LedgerError =>
  new LedgerError('CHAIN_REPLACED', {
    message: `block ${number} of the chain is ${found}, and ${writtenIn} has ${hash}, which was final. Nothing was changed. ${REMEDY}`,
  });

/** The refusal to index blocks while the chain lacks a block that was final. */
export const refuseUnreached = ({ number, writtenIn }: KnownFinal): LedgerError =>
  new LedgerError('CHAIN_UNAVAILABLE', {
    message:
      `${writtenIn} has block ${number}, which was final and is not final at the nodes: they are behind, or the chain has ` +
      'lost blocks. Wait until they have caught up; npm run rebuild uses the chain as it is now',
  });

/** Final blocks that a chain is compared with, each until it has it. */
export interface KnownFinals {
  /**
   * Compares those that the chain has reached. Resolves with the newest one that it hasn't; undefined: it has all.
   * @throws LedgerError CHAIN_REPLACED when it has another block in the place of one.
   */
  compare(chain: Hashes): Promise<KnownFinal | undefined>;
}

/** Nothing is known to have been final. */
export const NO_FINALS: KnownFinals = { compare: async () => undefined };

/** The blocks of `known`, none of which is compared yet. */
export const createKnownFinals = (known: readonly KnownFinal[]): KnownFinals => {
  let left = known.toSorted((one, other) => one.number - other.number);
  return {
    compare: async (chain) => {
      const unreached: KnownFinal[] = [];
      for (const block of left) {
        const hash = await chain.fetchBlockHash(block.number);
        if (hash === undefined) unreached.push(block);
        else if (hash !== block.hash) throw refuseReplaced(block, hash);
      }
      left = unreached;
      return left.at(-1);
    },
  };
};
