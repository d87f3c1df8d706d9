// Time that stands still until a test moves it: timers of the code under test fire when the test says so. Nothing here depends on
// real time: a slow disk is waited for, and a limit counts only turns of the event loop in which nothing was under way.
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createPendingWork, type PendingWork } from './pendingWork.ts';

export interface VirtualTime {
  /** Lets everything run that needs neither timer nor disk. */
  turns(): Promise<void>;
  /** Waits, without moving the time, until the condition holds. Rejects when nothing is under way that could bring it about. */
  until(isDone: () => boolean): Promise<void>;
  /** Moves the time, then lets run what that set free, until nothing but timers is under way. */
  pass(ms: number): Promise<void>;
  /** Moves the time step by step, each time nothing but timers is under way, until the condition holds. */
  passUntil(isDone: () => boolean, stepMs?: number): Promise<void>;
}

const TURNS = 20;
// Steps without effect after which what the test waits for can no longer happen.
const IDLE_STEPS_MAX = 10_000;

/** Runs the event loop until the condition holds, or until it has been idle for `TURNS` turns. */
const runUntilIdle = async (work: PendingWork, isDone: () => boolean): Promise<void> => {
  for (let idle = 0; idle < TURNS && !isDone(); idle = work.isAny() ? 0 : idle + 1) await turn();
};

/** Registers mocha hooks that stop the time of each test. */
export const useVirtualTime = (): VirtualTime => {
  const work = createPendingWork();
  beforeEach(() => {
    work.start();
    mock.timers.enable({ apis: ['setTimeout'] });
    syncBuiltinESMExports();
  });
  afterEach(() => {
    work.stop();
    mock.timers.reset();
    syncBuiltinESMExports();
  });
  const passUntil = async (isDone: () => boolean, stepMs: number): Promise<void> => {
    for (let step = 0; step < IDLE_STEPS_MAX; step += 1) {
      await runUntilIdle(work, isDone);
      if (isDone()) return;
      mock.timers.tick(stepMs);
    }
    throw new Error('what the test waits for does not happen');
  };
  const turns = async (): Promise<void> => {
    for (let done = 0; done < TURNS; done += 1) await turn();
  };
  return {
    turns,
    until: (isDone) => passUntil(isDone, 0),
    pass: async (ms) => {
      mock.timers.tick(ms);
      await runUntilIdle(work, () => false);
    },
    passUntil: (isDone, stepMs = 1_000) => passUntil(isDone, stepMs),
  };
};
