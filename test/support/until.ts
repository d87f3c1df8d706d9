// Waits for what happens by itself.
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 5;

/** Resolves when the condition holds; the test's own timeout bounds it. */
export const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await sleep(PAUSE_MS);
};
