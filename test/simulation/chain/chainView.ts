// One chain of blocks as a node sees it.
import type { SimulatedBlock, SimulatedReceipt } from './blocks.ts';

/** The place of a transaction. */
export interface TransactionPlace {
  readonly block: SimulatedBlock;
  readonly receipt: SimulatedReceipt;
}

/** A chain of blocks from genesis to a head. */
export interface ChainView {
  readonly head: SimulatedBlock;
  /** Number of the newest block that is final. */
  readonly finalNumber: number;
  blockByNumber(number: number): SimulatedBlock | undefined;
  /** Undefined for a block that this chain doesn't have. */
  blockByHash(hash: string): SimulatedBlock | undefined;
  findTransaction(hash: string): TransactionPlace | undefined;
}

/** A chain that can grow, and lose its newest blocks. */
export interface SimulatedChain extends ChainView {
  /** Adds a block on top of the head. */
  push(block: SimulatedBlock): void;
  /** Drops the blocks after this number. */
  truncate(number: number): void;
}

/** A chain that consists of its genesis block. `readFinalNumber`: the newest final block; the head where left out. */
export const createSimulatedChain = (
  genesis: SimulatedBlock,
  readFinalNumber?: (head: SimulatedBlock) => number,
): SimulatedChain => {
  const blocks = [genesis];
  const byHash = new Map<string, SimulatedBlock>([[genesis.hash, genesis]]);
  const places = new Map<string, TransactionPlace>();
  const drop = (block: SimulatedBlock): void => {
    byHash.delete(block.hash);
    for (const { transaction } of block.receipts) places.delete(transaction.hash);
  };
  return {
    get head() {
      return blocks.at(-1)!;
    },
    get finalNumber() {
      return readFinalNumber?.(blocks.at(-1)!) ?? blocks.length - 1;
    },
    blockByNumber: (number) => blocks[number],
    blockByHash: (hash) => byHash.get(hash),
    findTransaction: (hash) => places.get(hash),
    push: (block) => {
      if (block.parentHash !== blocks.at(-1)!.hash) throw new Error(`block ${block.number} is not on top of the head`);
      blocks.push(block);
      byHash.set(block.hash, block);
      for (const receipt of block.receipts) places.set(receipt.transaction.hash, { block, receipt });
    },
    truncate: (number) => {
      for (const block of blocks.splice(number + 1)) drop(block);
    },
  };
};
