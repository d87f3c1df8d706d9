// The validator of a network: makes blocks of the transactions in its pool, now and then an empty one, or none at all;
// and replaces its newest blocks by others.
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { count } from '../../support/count.ts';
import { mineBlock, type SimulatedBlock } from '../chain/blocks.ts';
import type { EmittedLog } from '../chain/ledgerCall.ts';
import type { DecodedTransaction } from '../chain/transactions.ts';
import { describeBlock } from '../story/describeTransaction.ts';
import { theWorld } from '../world/world.ts';
import type { BlockTree } from './blockTree.ts';
import type { Peer } from './peer.ts';
import { selectTransactions } from './selectTransactions.ts';

/** Contents of the blocks that replace others: those of the old ones, a part, everything in the first, or nothing. */
export const REPLACEMENTS = ['same', 'fewer', 'merged', 'empty'] as const;
export type Replacement = (typeof REPLACEMENTS)[number];

/** A reorg. */
export interface Reorg {
  /** Number of blocks that are replaced. */
  readonly depth: number;
  /** Blocks that the new branch has more than the old one. */
  readonly extraBlocks: number;
  readonly replacement: Replacement;
  /** Share of the replaced blocks' transactions that no pool gets back, from 0 to 1. */
  readonly vanishing: number;
}

/** Conditions of mining, which faults change. */
export interface MiningConditions {
  isStopped: boolean;
  /** Whether every block is empty. */
  isEmpty: boolean;
  /** The base fee is so many times its normal value. */
  feeFactor: number;
  /** The same, and it stays so when faults end. */
  feeLevel: number;
  /** Logs that the next block with a transaction has besides those of its transactions. */
  inventedLogs: readonly EmittedLog[];
}

const NORMAL_MINING: Readonly<Omit<MiningConditions, 'feeLevel' | 'inventedLogs'>> = {
  isStopped: false,
  isEmpty: false,
  feeFactor: 1,
};

/** Makes the blocks of a network. */
export interface Miner {
  readonly conditions: MiningConditions;
  /** Transactions of replaced blocks that no pool gets back until `heal`. */
  hasVanished(hash: Hex): boolean;
  /** Ends all faults. Peers send each other again what some of them still have of the vanished transactions. */
  heal(): void;
  /** Makes the next block now. */
  mine(): SimulatedBlock;
  /** Replaces the newest blocks. At most as many blocks as exist, genesis excepted. */
  reorganize(reorg: Reorg): void;
  /** Makes blocks from now on, in the current world. */
  start(): void;
}

/** Options of a miner. */
export interface MinerOptions {
  readonly tree: BlockTree;
  readonly validator: Peer;
  /** Mean time between two blocks, in virtual milliseconds. */
  readonly blockMs: number;
  /** Wei; 0 where gas is free. */
  readonly baseFeePerGas: bigint;
  /** Milliseconds since 1970. */
  readonly wallMs: () => number;
  /** Called when the canonical chain has changed. */
  readonly onBlock: () => void;
}

const EMPTY_RATE = 0.08;
const SKIP_RATE = 0.05;
const JITTER = 0.3;
/** Largest deviation of the base fee of a block, in percent. */
const FEE_JITTER_PERCENT = 10;

const random = () => theWorld().stream('network mining');

const createBlocks = (
  { tree, validator, baseFeePerGas, wallMs, onBlock }: MinerOptions,
  conditions: MiningConditions,
) => {
  let variant = 0;
  const drawBaseFee = (): bigint => {
    const percent = 100 + random().integer(-FEE_JITTER_PERCENT, FEE_JITTER_PERCENT);
    return (baseFeePerGas * BigInt(Math.round(conditions.feeLevel * conditions.feeFactor * percent))) / 100n;
  };
  // For the story. Blocks that are final when they are made have no sentence of their own.
  let final = validator.view.finalNumber;
  const describeFinal = (): string | undefined => {
    const { finalNumber } = validator.view;
    const isNew = finalNumber > final;
    final = Math.max(final, finalNumber);
    const { receipts } = tree.canonical.blocks[finalNumber]!;
    return isNew && finalNumber < tree.tip.number && receipts.length > 0 ? `block ${finalNumber} is final` : undefined;
  };
  // Without `isAnnounced` the other peers see the block with a later one.
  const add = (choose: (executable: DecodedTransaction[]) => DecodedTransaction[], isAnnounced: boolean) => {
    const { tip } = tree;
    const fee = drawBaseFee();
    const space = { gasLimit: tip.terms.blockGasLimit, baseFeePerGas: fee };
    const chosen = choose(selectTransactions(validator.executable(), tip.state, space));
    const timestampSeconds = Math.max(tip.timestampSeconds, Math.floor(wallMs() / 1_000));
    variant += 1;
    const { inventedLogs } = conditions;
    const block = mineBlock(tip, chosen, { timestampSeconds, baseFeePerGas: fee, variant, inventedLogs });
    if (chosen.length > 0) conditions.inventedLogs = [];
    tree.extend(block);
    theWorld().note('network', () => describeBlock(block));
    validator.followTip(() => false);
    theWorld().note('network', describeFinal);
    if (isAnnounced) onBlock();
    return block;
  };
  return add;
};

const transactionsOf = ({ receipts }: SimulatedBlock): DecodedTransaction[] =>
  receipts.map(({ transaction }) => transaction);

const all = (transactions: DecodedTransaction[]): DecodedTransaction[] => transactions;

// What the block in the place of `old` contains.
const choiceOf =
  (replacement: Replacement, old: SimulatedBlock | undefined) =>
  (executable: DecodedTransaction[]): DecodedTransaction[] => {
    if (replacement === 'empty') return [];
    if (replacement === 'merged') return executable;
    if (replacement === 'fewer') return executable.slice(0, random().integer(0, executable.length));
    const hashes = new Set(old === undefined ? [] : transactionsOf(old).map(({ hash }) => hash));
    return executable.filter(({ hash }) => hashes.has(hash));
  };

const describeReorg = (old: readonly SimulatedBlock[], extraBlocks: number): string => {
  const [first, last] = [old[0]!.number, old.at(-1)!.number];
  const replaced = first === last ? `block ${first} is` : `blocks ${first} to ${last} are`;
  return `${replaced} replaced by ${count(old.length + extraBlocks, 'other block')}`;
};

/** The miner of a network. */
export const createMiner = (options: MinerOptions): Miner => {
  const { tree, validator, blockMs, onBlock } = options;
  const conditions: MiningConditions = { ...NORMAL_MINING, feeLevel: 1, inventedLogs: [] };
  const vanished = new Set<Hex>();
  const add = createBlocks(options, conditions);

  const mine = (): SimulatedBlock =>
    add((found) => (conditions.isEmpty || random().chance(EMPTY_RATE) ? [] : found), true);
  const mineNext = (): void => {
    const delayMs = blockMs * (1 + JITTER * (2 * random().next() - 1));
    theWorld().schedule(delayMs, () => {
      if (!conditions.isStopped && !random().chance(SKIP_RATE)) mine();
      mineNext();
    });
  };

  return {
    conditions,
    hasVanished: (hash) => vanished.has(hash),
    heal: () => {
      Object.assign(conditions, NORMAL_MINING);
      vanished.clear();
    },
    mine,
    reorganize: ({ depth, extraBlocks, replacement, vanishing }) => {
      const old = tree.canonical.blocks.slice(-Math.min(depth, tree.tip.number));
      for (const { hash } of old.flatMap(transactionsOf)) if (random().chance(vanishing)) vanished.add(hash);
      tree.fork(old[0]!.number - 1);
      theWorld().note('network', () => describeReorg(old, extraBlocks));
      validator.followTip((hash) => vanished.has(hash));
      for (const block of old) add(choiceOf(replacement, block), false);
      for (let extra = 0; extra < extraBlocks; extra += 1) add(all, false);
      onBlock();
    },
    start: mineNext,
  };
};
