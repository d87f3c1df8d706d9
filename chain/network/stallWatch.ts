// Decides whether a chain has stalled. Silence alone is a stall only where blocks are promised without transactions.
// Only what a node answers counts: where none does, the chain is unavailable, which proves no stall, and its end
// neither.
import type { RecordWait } from '../recordWaits.ts';
import { type BlockIntervals, STALL_INTERVALS } from './blockIntervals.ts';

/** Why, and since when. */
export interface FoundStall {
  /**
   * `silence`: a promised block is missing. `transaction`: one of this server's transactions isn't included.
   * `finality`: one is, and its block isn't final.
   */
  readonly cause: 'silence' | 'transaction' | 'finality';
  /** Milliseconds since the epoch: the time of the newest block, or when the transaction was sent first. */
  readonly sinceMs: number;
}

/** What a node has just answered. */
export interface Observation {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly head: { readonly number: number; readonly timestampSeconds: number };
  /** Undefined: too few blocks are known. */
  readonly intervals: BlockIntervals | undefined;
  /** Blocks after which a block is usually final, itself included. */
  readonly finalBlocks: number;
  /** The oldest that isn't mined; undefined: there is none. */
  readonly unmined: RecordWait | undefined;
  /** The oldest that is mined, and not final; undefined: there is none. */
  readonly unfinal: RecordWait | undefined;
}

/** A transaction may wait as long on any chain. */
const WAIT_MS_MIN = 30_000;
/** The most that counts between two answers: what a node doesn't answer, or a machine that sleeps, proves nothing. */
const STEP_MS_MAX = 2_000;
/** The most that counts of the time before this process, which first gives the chain the time for a few blocks. */
const RECOVERED_MS_MAX = WAIT_MS_MIN - 3_000;

/** Distance of the moments for which the answered time is kept, and how many are: an hour. */
const SAMPLE_MS = 1_000;
const SAMPLES_MAX = 3_600;

// Counts the time during which a node answered, and knows what it was at earlier moments.
const createAnsweredTime = () => {
  const samples: { readonly atMs: number; readonly answeredMs: number }[] = [];
  let answeredMs = 0;
  let lookedAtMs: number | undefined;
  return {
    count: (nowMs: number): number => {
      answeredMs += Math.min(STEP_MS_MAX, Math.max(0, nowMs - (lookedAtMs ?? nowMs)));
      lookedAtMs = nowMs;
      const last = samples.at(-1);
      if (last === undefined || nowMs - last.atMs >= SAMPLE_MS) samples.push({ atMs: nowMs, answeredMs });
      if (samples.length > SAMPLES_MAX) samples.shift();
      return answeredMs;
    },
    readAt: (atMs: number): number => (samples.findLast((sample) => sample.atMs <= atMs) ?? samples[0]!).answeredMs,
  };
};

// How long one wait has lasted, as far as a node answered.
const createWaitTime = (readAnsweredAt: (atMs: number) => number) => {
  let wait: { readonly given: RecordWait; readonly sinceMs: number; readonly answeredMs: number } | undefined;
  // The time before the start of this process: while the chain has no newer block, no answer was missed. A wait began
  // with its newest block at the earliest, because before it the chain made blocks.
  const toRecovered = ({ sinceMs }: RecordWait, { nowMs, head }: Observation) => {
    const fromMs = Math.min(nowMs, Math.max(sinceMs, head.timestampSeconds * 1_000));
    return { sinceMs: fromMs, creditMs: Math.min(RECOVERED_MS_MAX, nowMs - fromMs) };
  };
  // When the oldest wait ends, the next one has lasted since it began itself, perhaps shortly before the first answer.
  const toCredit = (given: RecordWait, observation: Observation, answeredMs: number) => {
    const { sinceMs, isRecovered } = given;
    if (isRecovered) return toRecovered(given, observation);
    const leastMs = Math.min(STEP_MS_MAX, observation.nowMs - sinceMs);
    return { sinceMs, creditMs: Math.max(leastMs, answeredMs - readAnsweredAt(sinceMs)) };
  };
  return (given: RecordWait | undefined, observation: Observation, answeredMs: number) => {
    if (given === undefined) wait = undefined;
    else if (wait?.given.sinceMs !== given.sinceMs) {
      const { sinceMs, creditMs } = toCredit(given, observation, answeredMs);
      wait = { given, sinceMs, answeredMs: answeredMs - creditMs };
    }
    return wait && { sinceMs: wait.sinceMs, ms: answeredMs - wait.answeredMs };
  };
};

// When this process first saw the newest block: the clocks of validators may differ from this machine's.
const createSilence = () => {
  let seen: { readonly number: number; readonly atMs: number; readonly answeredMs: number } | undefined;
  return ({ nowMs, head }: Observation, answeredMs: number) => {
    if (seen === undefined || head.number > seen.number) seen = { number: head.number, atMs: nowMs, answeredMs };
    return { sinceMs: Math.min(head.timestampSeconds * 1_000, seen.atMs), ms: answeredMs - seen.answeredMs };
  };
};

/** Returns a function that judges each observation: the stall, or undefined. A stall keeps its beginning. */
export const createStallWatch = (): ((observation: Observation) => FoundStall | undefined) => {
  const answered = createAnsweredTime();
  const readSilence = createSilence();
  const readUnmined = createWaitTime(answered.readAt);
  const readUnfinal = createWaitTime(answered.readAt);
  let stall: FoundStall | undefined;

  const find = (observation: Observation): FoundStall | undefined => {
    const { nowMs, intervals, finalBlocks, unmined, unfinal } = observation;
    const answeredMs = answered.count(nowMs);
    const silence = readSilence(observation, answeredMs);
    const toMine = readUnmined(unmined, observation, answeredMs);
    const toFinal = readUnfinal(unfinal, observation, answeredMs);
    const toLimitMs = (blocks: number): number =>
      Math.max(STALL_INTERVALS * blocks * (intervals?.usualMs ?? 0), WAIT_MS_MIN);
    const { silenceMsMax } = intervals ?? {};
    if (silenceMsMax !== undefined && silence.ms > silenceMsMax) return { cause: 'silence', sinceMs: silence.sinceMs };
    if (toMine !== undefined && toMine.ms > toLimitMs(1)) return { cause: 'transaction', sinceMs: toMine.sinceMs };
    if (toFinal !== undefined && toFinal.ms > toLimitMs(finalBlocks))
      return { cause: 'finality', sinceMs: toFinal.sinceMs };
    return undefined;
  };

  return (observation) => {
    const found = find(observation);
    stall = found && { cause: found.cause, sinceMs: stall?.sinceMs ?? found.sinceMs };
    return stall;
  };
};
