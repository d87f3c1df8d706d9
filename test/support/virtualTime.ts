// Time that stands still until a test advances it: timers of the code under test fire only then. Nothing here depends
// on real time: a slow disk is waited for, and limits count only turns of the event loop without an operation in
// progress.
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createPendingWork, TURNS } from './pendingWork.ts';

export interface VirtualTime {
  /** Runs everything that needs neither timer nor disk. */
  turns(): Promise<void>;
  /**
   * Waits, without advancing the time, until the condition holds. Rejects when no operation is in progress that could
   * fulfil it.
   */
  until(isDone: () => boolean): Promise<void>;
  /** Advances the time, then runs the operations that this started, until only timers are left. */
  pass(ms: number): Promise<void>;
  /** Advances the time step by step, whenever only timers are left, until the condition holds. */
  passUntil(isDone: () => boolean, stepMs?: number): Promise<void>;
}

// Steps after which the condition can no longer become true.
const IDLE_STEPS_MAX = 10_000;

/** Registers mocha hooks that stop time in each test. */
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
      await work.runUntilIdle(isDone);
      if (isDone()) return;
      mock.timers.tick(stepMs);
    }
    throw new Error('the condition that the test waits for does not hold');
  };
  const turns = async (): Promise<void> => {
    for (let done = 0; done < TURNS; done += 1) await turn();
  };
  return {
    turns,
    until: (isDone) => passUntil(isDone, 0),
    pass: async (ms) => {
      mock.timers.tick(ms);
      await work.runUntilIdle(() => false);
    },
    passUntil: (isDone, stepMs = 1_000) => passUntil(isDone, stepMs),
  };
};
