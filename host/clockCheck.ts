// Whether the clock was set back since the ledger was last written: no record, and no block, may be older than those that are there.
import { setTimeout as sleep } from 'node:timers/promises';
import { toTimestamp } from '../ledger/encoding/timestamp.ts';
import type { OnStep } from './ledgerOptions.ts';

/** The clock is so far behind what was written that waiting for it makes no sense. */
export class ClockSetBackError extends Error {
  readonly code = 'CLOCK_SET_BACK';

  constructor(nowMs: number, newestMs: number) {
    super(
      `the clock says ${toTimestamp(nowMs)}, and the newest record or block is of ${toTimestamp(newestMs)}: the clock was set back. Set it ` +
        'right (NTP) and start again. Nothing was changed',
    );
    this.name = 'ClockSetBackError';
  }
}

/** A clock that is behind by less is waited for. */
const WAIT_MAX_MS = 60_000;
/** Less than this is not called set back: a block is stamped with the end of its second, and synchronisation takes small steps. */
const TOLERANCE_MS = 1_000;
const POLL_MS = 200;

/**
 * Resolves when `now` is not behind `newestMs`, the newest time that was written, by a second or more. Waits for a minute at most.
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
