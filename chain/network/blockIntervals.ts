// How long a chain usually takes for a block, and whether it promises blocks without transactions. Clocks of
// validators have seconds, so an interval is one second at least.
import { isSameBytes } from '../../ledger/evidence/bytes.ts';
import { readCliqueHeaderSeal } from '../../ledger/evidence/cliqueSeal.ts';
import { buildListTrie } from '../../ledger/evidence/listTrie.ts';
import type { HashedHeader } from './decodeHeader.ts';

/** How a chain's blocks are sealed; undefined where headers don't show it. */
export type Engine = 'qbft' | 'ibft2' | 'clique';

/** The intervals of a chain, in milliseconds. */
export interface BlockIntervals {
  /** Time that a block takes when there are transactions. */
  readonly usualMs: number;
  /** Time within which a block comes without any transaction; undefined where the chain promises none. */
  readonly promisedMs: number | undefined;
}

/** Intervals that are compared. */
const COMPARED = 20;
/** Nine of ten blocks come within the usual interval, so that it includes the rounds of a validator that is away. */
const SHARE = 0.9;
/** Where blocks are made on demand, most of an interval may be a pause of the clients. */
const ON_DEMAND_MS_MAX = 60_000;
const SECOND_MS = 1_000;

/** Root of the empty trie: the block has no transactions. */
const EMPTY_ROOT = buildListTrie([]).root;

const isEmpty = ({ header }: HashedHeader): boolean => isSameBytes(header.transactionsRoot, EMPTY_ROOT);

interface Interval {
  readonly ms: number;
  readonly isBeforeEmpty: boolean;
}

// Block 0 has any time.
const toIntervals = (headers: readonly HashedHeader[]): Interval[] =>
  headers.slice(1).flatMap((block, at) => {
    const before = headers[at]!;
    const ms = Math.max(1, block.timestampSeconds - before.timestampSeconds) * SECOND_MS;
    return before.number === 0 ? [] : [{ ms, isBeforeEmpty: isEmpty(block) }];
  });

const toMs = (intervals: readonly Interval[]): number[] =>
  intervals
    .slice(-COMPARED)
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b);

const toLongestUsual = (sorted: readonly number[]): number | undefined =>
  sorted[Math.max(0, Math.ceil(sorted.length * SHARE) - 1)];

/**
 * The engine that a header shows. `genesisIsClique`: whether block 0 has the shape of clique's, without which a header
 * of this shape may be any other chain's.
 */
export const readEngine = (block: HashedHeader, genesisIsClique: boolean): Engine | undefined => {
  if (block.rule === 'qbft' || block.rule === 'ibft2') return block.rule;
  return genesisIsClique && readCliqueHeaderSeal(block.header) !== undefined ? 'clique' : undefined;
};

/**
 * The intervals of a chain by its newest headers; undefined when there are too few. QBFT and IBFT 2.0 promise empty
 * blocks. Clique does when it has made one: with the period 0 it never does. `promises` overrides both.
 */
export const readIntervals = (
  headers: readonly HashedHeader[],
  engine: Engine | undefined,
  promises?: boolean | undefined,
): BlockIntervals | undefined => {
  const all = toIntervals(headers);
  if (all.length === 0) return undefined;
  const empty = all.filter(({ isBeforeEmpty }) => isBeforeEmpty);
  const isPromised = promises ?? (engine === 'clique' ? empty.length > 0 : engine !== undefined);
  const sorted = toMs(all);
  if (!isPromised) return { usualMs: Math.min(sorted[0]!, ON_DEMAND_MS_MAX), promisedMs: undefined };
  const usualMs = toLongestUsual(sorted)!;
  // An engine may wait longer for an empty block than for one with transactions.
  return { usualMs, promisedMs: toLongestUsual(toMs(empty)) ?? usualMs };
};
