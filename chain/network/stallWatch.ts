// Decides whether a chain has stalled. Silence alone is a stall only where blocks are promised without transactions.
// Only what a node answers counts: where none does, the chain is unavailable, which proves no stall, and its end
// neither.
import type { BlockIntervals } from './blockIntervals.ts';

/** Why, and since when. */
export interface FoundStall {
  /** `silence`: a promised block is missing. `transaction`: one of this server's transactions isn't included. */
  readonly cause: 'silence' | 'transaction';
  /** Milliseconds since the epoch: the time of the newest block, or when the transaction was sent. */
  readonly sinceMs: number;
}

/** What a node has just answered. */
export interface Observation {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly head: { readonly number: number; readonly timestampSeconds: number };
  /** Undefined: too few blocks are known. */
  readonly intervals: BlockIntervals | undefined;
  /** When the oldest transaction that isn't mined was sent; undefined: there is none. */
  readonly waitingSinceMs: number | undefined;
}

/** Missing intervals that make a stall. */
const INTERVALS = 3;
/** A transaction may wait as long on any chain. */
const WAIT_MS_MIN = 30_000;
/** The most that counts between two answers: what a node doesn't answer, or a machine that sleeps, proves nothing. */
const STEP_MS_MAX = 2_000;

// Counts the time during which a node answered.
const createAnsweredTime = () => {
  let ms = 0;
  let lookedAtMs: number | undefined;
  return (nowMs: number): number => {
    ms += Math.min(STEP_MS_MAX, Math.max(0, nowMs - (lookedAtMs ?? nowMs)));
    lookedAtMs = nowMs;
    return ms;
  };
};

/** Returns a function that judges each observation: the stall, or undefined. A stall keeps its beginning. */
export const createStallWatch = (): ((observation: Observation) => FoundStall | undefined) => {
  const countAnswered = createAnsweredTime();
  // When this process first saw the newest block: the clocks of validators may differ from this machine's.
  let seen: { readonly number: number; readonly atMs: number; readonly answeredMs: number } | undefined;
  let waiting: { readonly sinceMs: number; readonly answeredMs: number } | undefined;
  let stall: FoundStall | undefined;
  return ({ nowMs, head, intervals, waitingSinceMs: sinceMs }) => {
    const answeredMs = countAnswered(nowMs);
    if (seen === undefined || head.number > seen.number) seen = { number: head.number, atMs: nowMs, answeredMs };
    if (sinceMs === undefined) waiting = undefined;
    else if (waiting?.sinceMs !== sinceMs)
      waiting = { sinceMs, answeredMs: answeredMs - Math.min(STEP_MS_MAX, nowMs - sinceMs) };
    const waitMs = Math.max(INTERVALS * (intervals?.usualMs ?? 0), WAIT_MS_MIN);
    const { promisedMs } = intervals ?? {};
    let found: FoundStall | undefined;
    if (promisedMs !== undefined && answeredMs - seen.answeredMs > INTERVALS * promisedMs)
      found = { cause: 'silence', sinceMs: Math.min(head.timestampSeconds * 1_000, seen.atMs) };
    else if (waiting !== undefined && answeredMs - waiting.answeredMs > waitMs)
      found = { cause: 'transaction', sinceMs: waiting.sinceMs };
    stall = found && { cause: found.cause, sinceMs: stall?.sinceMs ?? found.sinceMs };
    return stall;
  };
};
