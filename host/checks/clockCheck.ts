// Checks that the clock was not set back since the ledger was last written: no new record or block may be older than
// the existing ones.
import { setTimeout as sleep } from 'node:timers/promises';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import type { OnStep } from '../ledgerOptions.ts';

/** The clock is over a minute behind the newest record or block, so the start doesn't wait for it. */
export class ClockSetBackError extends Error {
  readonly code = 'CLOCK_SET_BACK';

  constructor(nowMs: number, newestMs: number) {
    super(
      `the clock shows ${toTimestamp(nowMs)}, and the newest record or block has the time ${toTimestamp(newestMs)}: the clock ` +
        'is behind now, or it was ahead then. If it is behind, correct it (NTP) and start again; if it was ahead and is ' +
        'right now, run: npm run clock -- accept. Nothing was changed',
    );
    this.name = 'ClockSetBackError';
  }
}

/** The start waits for a clock that is behind by at most this. */
const WAIT_MAX_MS = 60_000;
/**
 * A smaller difference is no set-back: a block has the end of its second as its time, and time synchronisation makes
 * small steps.
 */
const TOLERANCE_MS = 1_000;
const POLL_MS = 200;

/** The newest times that a start finds. Undefined: there is none. */
export interface WrittenTimes {
  /** The newest acceptance that the outbox has, in milliseconds since 1970. */
  readonly acceptedMs: number | undefined;
  /** The time of the embedded chain's newest block, in seconds since 1970. */
  readonly blockSeconds: number | undefined;
}

/**
 * The times without those up to `untilMs`, which an operator has accepted as later than the clock: for these, the
 * clock neither has to wait nor is held.
 */
export const toUnaccepted = ({ acceptedMs, blockSeconds }: WrittenTimes, untilMs: number): WrittenTimes => ({
  acceptedMs: acceptedMs !== undefined && acceptedMs > untilMs ? acceptedMs : undefined,
  blockSeconds: blockSeconds !== undefined && (blockSeconds - 1) * 1_000 > untilMs ? blockSeconds : undefined,
});

/** The newest time that was written: a block has the end of its second as its time, up to a second ahead. */
export const toNewestMs = ({ acceptedMs, blockSeconds }: WrittenTimes): number =>
  Math.max(acceptedMs ?? Number.NEGATIVE_INFINITY, ((blockSeconds ?? Number.NEGATIVE_INFINITY) - 1) * 1_000);

/**
 * A time that no record of an earlier process is after. The outbox never had most records of the embedded chain; they
 * were accepted by the end of the second of their block.
 */
export const toHeldMs = ({ acceptedMs, blockSeconds }: WrittenTimes): number =>
  Math.max(acceptedMs ?? Number.NEGATIVE_INFINITY, (blockSeconds ?? Number.NEGATIVE_INFINITY) * 1_000 - 1);

/**
 * Resolves when `now` is not behind `newestMs`, the newest time that was written, by a second or more. Waits for a
 * minute at most.
 * @throws ClockSetBackError when it is behind by more.
 */
export const awaitClock = async (options: {
  newestMs: number;
  now: () => number;
  onStep: OnStep;
  onProblem: (message: string) => void;
  wait?: (ms: number) => Promise<unknown>;
}): Promise<void> => {
  const { newestMs, now, onStep, onProblem, wait = sleep } = options;
  const totalMs = newestMs - now();
  if (totalMs < TOLERANCE_MS) return;
  if (totalMs > WAIT_MAX_MS) throw new ClockSetBackError(now(), newestMs);
  const total = Math.ceil(totalMs / 1_000);
  onProblem(`the clock is ${total} s behind the newest record or block; the start waits until it has caught up`);
  const title = 'waiting for the clock';
  for (let leftMs = totalMs; leftMs > 0; leftMs = newestMs - now()) {
    onStep({ title, unit: 'seconds', done: Math.max(0, total - Math.ceil(leftMs / 1_000)), total });
    await wait(Math.min(POLL_MS, leftMs));
  }
  onStep({ title, unit: 'seconds', done: total, total });
};
