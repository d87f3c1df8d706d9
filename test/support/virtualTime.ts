// Time that stands still until a test moves it: timers of the code under test fire when the test says so.
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

export interface VirtualTime {
  /** Lets everything run that needs neither timer nor disk. */
  turns(): Promise<void>;
  /** Waits, without moving the time, until the condition holds. */
  until(isDone: () => boolean): Promise<void>;
  /** Moves the time, then lets run what that set free. */
  pass(ms: number): Promise<void>;
  /** Moves the time step by step until the condition holds. */
  passUntil(isDone: () => boolean, stepMs?: number): Promise<void>;
}

const TURNS = 20;
// What should happen and doesn't must fail the test, not hang it.
const PATIENCE_MS = 5_000;

const turnUntil = async (isDone: () => boolean, eachTurn: () => void): Promise<void> => {
  const startMs = performance.now();
  while (!isDone()) {
    if (performance.now() - startMs > PATIENCE_MS) throw new Error('what the test waits for does not happen');
    eachTurn();
    await turn();
  }
};

/** Registers mocha hooks that stop the time of each test. */
export const useVirtualTime = (): VirtualTime => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    syncBuiltinESMExports();
  });
  afterEach(() => {
    mock.timers.reset();
    syncBuiltinESMExports();
  });
  const turns = async (): Promise<void> => {
    for (let done = 0; done < TURNS; done += 1) await turn();
  };
  return {
    turns,
    until: (isDone) => turnUntil(isDone, () => undefined),
    pass: async (ms) => {
      mock.timers.tick(ms);
      await turns();
    },
    passUntil: (isDone, stepMs = 1_000) => turnUntil(isDone, () => mock.timers.tick(stepMs)),
  };
};
