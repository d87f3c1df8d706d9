// A participant of the network: the blocks that it has seen, and its pool. The nodes that answer clients are peers, and
// so is the validator, which makes the blocks.
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import type { ChainView } from '../chain/chainView.ts';
import type { DecodedTransaction } from '../chain/transactions.ts';
import type { BlockTree } from './blockTree.ts';
import { createNodeHead, type NodeHead } from './nodeHead.ts';
import { createPool, type Pool, type PoolOptions } from './pool.ts';

/** A participant of the network. */
export interface Peer {
  readonly view: ChainView;
  readonly pool: Pool;
  /**
   * Adds a transaction to the pool.
   * @throws RpcError as geth answers to `eth_sendRawTransaction`.
   */
  submit(transaction: DecodedTransaction): void;
  /** Adds a transaction that another peer has sent; nothing happens when the pool refuses it. */
  offer(transaction: DecodedTransaction): void;
  /** Transactions that a block can include now, each account's in order of nonces. */
  executable(): readonly (readonly DecodedTransaction[])[];
  /**
   * Moves to the canonical chain, `lagBlocks` behind its tip. Transactions of replaced blocks return to the pool,
   * except those that `hasVanished`.
   */
  follow(lagBlocks: number, hasVanished: (hash: Hex) => boolean): void;
  /** Moves to the tip, also when its branch is shorter than the one before. */
  followTip(hasVanished: (hash: Hex) => boolean): void;
  /** Empties the pool, as a restart does. */
  forgetPool(): void;
  clone(tree: BlockTree): Peer;
}

const createWith = (head: NodeHead, options: PoolOptions, initial: Pool): Peer => {
  let pool = initial;
  const state = () => head.view.head.state;
  const offer = (transaction: DecodedTransaction): void => {
    try {
      pool.add(transaction, state());
    } catch (error) {
      // A peer has no use for the reason.
      if (!(error instanceof RpcError)) throw error;
    }
  };
  const follow = (move: () => readonly DecodedTransaction[], hasVanished: (hash: Hex) => boolean): void => {
    const before = head.view;
    const replaced = move();
    if (head.view === before) return;
    pool.prune(state());
    for (const transaction of replaced) if (!hasVanished(transaction.hash)) offer(transaction);
  };
  return {
    get view() {
      return head.view;
    },
    get pool() {
      return pool;
    },
    submit: (transaction) => pool.add(transaction, state()),
    offer,
    executable: () => pool.executable(state()),
    follow: (lagBlocks, hasVanished) => follow(() => head.follow(lagBlocks), hasVanished),
    followTip: (hasVanished) => follow(head.followTip, hasVanished),
    forgetPool: () => {
      pool = createPool(options);
    },
    clone: (tree) => createWith(head.clone(tree), options, pool.clone()),
  };
};

/** A peer at the tip of the canonical chain, with an empty pool. */
export const createPeer = (tree: BlockTree, options: PoolOptions): Peer =>
  createWith(createNodeHead(tree), options, createPool(options));
