// The chain as one node sees it: it follows the network's canonical chain, at once or some blocks behind.
import type { ChainView } from '../chain/chainView.ts';
import type { DecodedTransaction } from '../chain/transactions.ts';
import { type BlockTree, type Branch, findCommonNumber } from './blockTree.ts';

/** The newest block of one node. */
export interface NodeHead {
  readonly view: ChainView;
  /**
   * Moves to the canonical chain, `lagBlocks` behind its tip; never back to an earlier block of the same chain. Returns
   * the transactions of the blocks that the node has replaced.
   */
  follow(lagBlocks: number): readonly DecodedTransaction[];
  /** Moves to the tip of the canonical chain, also when its branch is shorter. Returns the same. */
  followTip(): readonly DecodedTransaction[];
  /** The same head on a copy of the tree. */
  clone(tree: BlockTree): NodeHead;
}

const transactionsAfter = ({ blocks }: Branch, number: number, headNumber: number): DecodedTransaction[] =>
  blocks.slice(number + 1, headNumber + 1).flatMap(({ receipts }) => receipts.map(({ transaction }) => transaction));

const createAt = (tree: BlockTree, startBranch: Branch, startNumber: number): NodeHead => {
  let branch = startBranch;
  let headNumber = startNumber;
  let view = tree.view(branch, headNumber);

  const moveTo = (target: Branch, number: number): void => {
    branch = target;
    headNumber = number;
    view = tree.view(branch, headNumber);
  };
  const changeBranch = (common: number, target: number): readonly DecodedTransaction[] => {
    const replaced = transactionsAfter(branch, common, headNumber);
    moveTo(tree.canonical, Math.max(target, Math.min(headNumber, common)));
    return replaced;
  };
  // A node leaves its branch only for one that is at least as long, as far as it has seen it.
  const follow = (target: number): readonly DecodedTransaction[] => {
    if (branch !== tree.canonical) {
      const common = findCommonNumber(branch, tree.canonical);
      return headNumber > common && target < headNumber ? [] : changeBranch(common, target);
    }
    if (target > headNumber) moveTo(branch, target);
    return [];
  };

  return {
    get view() {
      return view;
    },
    follow: (lagBlocks) => follow(tree.tip.number - lagBlocks),
    followTip: () =>
      branch === tree.canonical
        ? follow(tree.tip.number)
        : changeBranch(findCommonNumber(branch, tree.canonical), tree.tip.number),
    clone: (copy) => createAt(copy, branch === tree.canonical ? copy.canonical : branch, headNumber),
  };
};

/** A node at the tip of the canonical chain. */
export const createNodeHead = (tree: BlockTree): NodeHead => createAt(tree, tree.canonical, tree.tip.number);
