// Counts lines towards the rate of their tenant. A request isn't refused in the middle of its lines: it waits until the
// rate allows more, and its client, whose lines nobody reads meanwhile, with it.
import { setTimeout } from 'node:timers/promises';
import { LedgerError } from '../../ledger/errors.ts';
import { joinSignals } from '../../ledger/joinedSignal.ts';
import type { LineGroups } from './lineBody.ts';

/** Lines that count as one request: recording one of many costs a small part of what a request costs. */
export const LINES_OF_A_REQUEST = 20;

/** Waits for so many milliseconds, or until the signal aborts. */
type Wait = (ms: number, signal: AbortSignal) => Promise<unknown>;

const waitUntil: Wait = (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined);

/** What the lines of a request are counted with. */
export interface LineRate {
  /** Counts a request of the tenant. Rejects with RATE_LIMITED, and the time until the next try, beyond its rate. */
  readonly count: () => Promise<void>;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal | undefined;
  /** Aborts when the client is gone. */
  readonly closed: AbortSignal;
  readonly wait?: Wait;
}

/** A rate whose waits end with `ending`: when the server stops or the client is gone. */
interface EndingRate extends LineRate {
  readonly ending: AbortSignal;
}

const countOnce = async ({ count, stopping, closed, ending, wait = waitUntil }: EndingRate): Promise<void> => {
  for (;;) {
    try {
      return await count();
    } catch (error) {
      if (!(error instanceof LedgerError) || error.retryAfterMs === undefined) throw error;
      await wait(error.retryAfterMs, ending);
    }
    if (stopping?.aborted) throw new LedgerError('STOPPING');
    closed.throwIfAborted();
  }
};

/** The same groups, each as soon as its lines are counted. Rejects with the reason of `closed` when that aborts. */
export async function* countLines<T>(groups: LineGroups<T>, rate: LineRate): LineGroups<T> {
  let lines = 0;
  using joined = joinSignals(rate.stopping, rate.closed);
  const ending = { ...rate, ending: joined.signal };
  for await (const group of groups) {
    for (lines += group.length; lines >= LINES_OF_A_REQUEST; lines -= LINES_OF_A_REQUEST) await countOnce(ending);
    yield group;
  }
}
