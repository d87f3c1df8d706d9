// The one place where a test waits by the clock: for a condition, with one bound that is generous on a busy machine.
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

const PAUSE_MS = 5;
/** How long `until` waits, in milliseconds: less than a test may take, so that the failure says what was seen. */
export const WAIT_MS = 50_000;

/**
 * Resolves when the condition holds.
 * @param seen what the failure shows when the condition doesn't hold
 * @param waitMs only for what takes longer than `WAIT_MS` on a busy machine; the test needs a timeout above it
 * @throws when it doesn't hold for `waitMs`
 */
export const until = async (
  condition: () => boolean | Promise<boolean>,
  seen: () => unknown = () => condition.toString(),
  waitMs: number = WAIT_MS,
): Promise<void> => {
  const endMs = performance.now() + waitMs;
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error(`not so after ${waitMs / 1_000} s: ${inspect(await seen())}`);
    await sleep(PAUSE_MS);
  }
};

/** Lets real time pass, in milliseconds: for delays that a test injects, never to wait for something. */
export const delay = (ms: number, options: { readonly signal?: AbortSignal } = {}): Promise<void> =>
  sleep(ms, undefined, options);
