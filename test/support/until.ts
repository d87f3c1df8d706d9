// Waits for a condition.
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 5;

/** Resolves when the condition holds; the test's timeout limits the wait. */
export const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await sleep(PAUSE_MS);
};
