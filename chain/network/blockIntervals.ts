// How long a chain usually takes for a block, and whether it promises blocks without transactions. Clocks of
// validators have seconds, so an interval is one second at least.
import { readBftRound } from '../../ledger/evidence/bftSeals.ts';
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
  /** After so much silence a promised block is missing. */
  readonly silenceMsMax: number | undefined;
}

/** Intervals that are compared. */
const COMPARED = 20;
/** Nine of ten blocks come within the usual interval, so that it includes the rounds of a validator that is away. */
const SHARE = 0.9;
/** Where blocks are made on demand, most of an interval may be a pause of the clients. */
const ON_DEMAND_MS_MAX = 60_000;
const SECOND_MS = 1_000;
/** Missing intervals that make a stall. */
export const STALL_INTERVALS = 3;
/** Timeouts of a first round that pass before a stall: the second proposer may be away, too, or begin late. */
const STALL_ROUNDS = 2;
/** QBFT's usual settings: the first round has two periods, and 4 s at least. */
const ROUND_PERIODS = 2;
const ROUND_MS_MIN = 4_000;

/** Root of the empty trie: the block has no transactions. */
const EMPTY_ROOT = buildListTrie([]).root;

const isEmpty = ({ header }: HashedHeader): boolean => isSameBytes(header.transactionsRoot, EMPTY_ROOT);

interface Interval {
  readonly ms: number;
  /** Of the block at its end; 0 where there are no rounds. */
  readonly round: number;
  readonly isBeforeEmpty: boolean;
}

// Block 0 has any time.
const toRound = ({ header, rule }: HashedHeader): number =>
  rule === 'qbft' || rule === 'ibft2' ? (readBftRound(header, rule) ?? 0) : 0;

const toIntervals = (headers: readonly HashedHeader[]): Interval[] =>
  headers.slice(1).flatMap((block, at) => {
    const before = headers[at]!;
    const ms = Math.max(1, block.timestampSeconds - before.timestampSeconds) * SECOND_MS;
    return before.number === 0 ? [] : [{ ms, round: toRound(block), isBeforeEmpty: isEmpty(block) }];
  });

const toMs = (intervals: readonly Interval[]): number[] =>
  intervals
    .slice(-COMPARED)
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b);

const toLongestUsual = (sorted: readonly number[]): number | undefined =>
  sorted[Math.max(0, Math.ceil(sorted.length * SHARE) - 1)];

// The timeout of a first round. Each round has twice the time of the one before, so a block of round r came after
// 2^r - 1 times that of the first, at least: the least of these is the nearest.
const toRoundMs = (intervals: readonly Interval[], usualMs: number): number => {
  const seen = intervals.filter(({ round }) => round > 0).map(({ ms, round }) => ms / (2 ** round - 1));
  return seen.length > 0 ? Math.min(...seen) : Math.max(ROUND_PERIODS * usualMs, ROUND_MS_MIN);
};

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
  if (!isPromised)
    return { usualMs: Math.min(sorted[0]!, ON_DEMAND_MS_MAX), promisedMs: undefined, silenceMsMax: undefined };
  const usualMs = toLongestUsual(sorted)!;
  // An engine may wait longer for an empty block than for one with transactions. Where clients write, few are empty.
  const promisedMs = Math.max(usualMs, toLongestUsual(toMs(empty)) ?? 0);
  const hasRounds = engine === 'qbft' || engine === 'ibft2';
  const roundsMs = hasRounds ? STALL_ROUNDS * toRoundMs(all, usualMs) : 0;
  return { usualMs, promisedMs, silenceMsMax: Math.max(STALL_INTERVALS * promisedMs, roundsMs) };
};
