// The blocks of a simulated network: a canonical chain, and the branches that it had before reorgs.
import type { SimulatedBlock } from '../chain/blocks.ts';
import type { ChainView, TransactionPlace } from '../chain/chainView.ts';

/** A chain of blocks by number. Only the canonical branch grows. */
export interface Branch {
  readonly blocks: readonly SimulatedBlock[];
}

/** All blocks of a network. */
export interface BlockTree {
  readonly canonical: Branch;
  readonly tip: SimulatedBlock;
  /** Blocks that reorgs have replaced. */
  readonly replaced: readonly SimulatedBlock[];
  /** Adds a block on top of the canonical branch. */
  extend(block: SimulatedBlock): void;
  /** Begins another canonical branch, which shares the blocks up to this number. */
  fork(number: number): void;
  /** A branch up to a block, as a node that has seen no more of it. */
  view(branch: Branch, headNumber: number): ChainView;
  /** The blocks that contain a transaction, those of replaced branches included. */
  placesOf(hash: string): readonly TransactionPlace[];
  /** A copy, in which `finalDepth` blocks make a block final. */
  clone(finalDepth: number): BlockTree;
}

interface Content {
  blocks: SimulatedBlock[];
  readonly byHash: Map<string, SimulatedBlock>;
  /** Blocks that contain a transaction, on any branch. */
  readonly places: Map<string, readonly TransactionPlace[]>;
}

/** Number of the newest block that both branches have. */
export const findCommonNumber = (a: Branch, b: Branch): number => {
  let number = Math.min(a.blocks.length, b.blocks.length) - 1;
  while (a.blocks[number] !== b.blocks[number]) number -= 1;
  return number;
};

const createView = (
  { byHash, places }: Content,
  { blocks }: Branch,
  { headNumber, finalDepth }: { headNumber: number; finalDepth: number },
): ChainView => {
  const isSeen = (block: SimulatedBlock): boolean => block.number <= headNumber && blocks[block.number] === block;
  return {
    head: blocks[headNumber]!,
    finalNumber: Math.max(0, headNumber - finalDepth + 1),
    blockByNumber: (number) => (number <= headNumber ? blocks[number] : undefined),
    blockByHash: (hash) => {
      const block = byHash.get(hash);
      return block !== undefined && isSeen(block) ? block : undefined;
    },
    findTransaction: (hash) => places.get(hash)?.find(({ block }) => isSeen(block)),
  };
};

const createOn = (content: Content, finalDepth: number): BlockTree => {
  const { byHash, places } = content;
  const replaced: SimulatedBlock[] = [];
  let canonical: Branch = { blocks: content.blocks };
  return {
    get canonical() {
      return canonical;
    },
    get tip() {
      return content.blocks.at(-1)!;
    },
    replaced,
    extend: (block) => {
      content.blocks.push(block);
      byHash.set(block.hash, block);
      for (const receipt of block.receipts) {
        const { hash } = receipt.transaction;
        places.set(hash, [...(places.get(hash) ?? []), { block, receipt }]);
      }
    },
    fork: (number) => {
      replaced.push(...content.blocks.slice(number + 1));
      content.blocks = content.blocks.slice(0, number + 1);
      canonical = { blocks: content.blocks };
    },
    view: (branch, headNumber) => createView(content, branch, { headNumber, finalDepth }),
    placesOf: (hash) => places.get(hash) ?? [],
    clone: (depth) => {
      const copy = { blocks: [...content.blocks], byHash: new Map(byHash), places: new Map(places) };
      return createOn(copy, depth);
    },
  };
};

/** A chain that consists of its genesis block. `finalDepth` blocks make a block final, itself included. */
export const createBlockTree = (genesis: SimulatedBlock, finalDepth: number): BlockTree =>
  createOn({ blocks: [genesis], byHash: new Map([[genesis.hash, genesis]]), places: new Map() }, finalDepth);
