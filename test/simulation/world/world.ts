// The world of one simulation: virtual time, seeded randomness, and what has happened so far. One world exists at a
// time in a process of the operating system; the simulated edges find it here.
import { createStream, type Random } from './random.ts';
import { createSchedule } from './schedule.ts';

/** One simulated world. */
export interface World {
  readonly seed: number;
  /** Virtual milliseconds since the beginning; never goes back. */
  nowMs(): number;
  /** The stream of numbers for a purpose; the same stream at each call. */
  stream(purpose: string): Random;
  /** Runs a task after so many virtual milliseconds. Returns the function that cancels it. */
  schedule(delayMs: number, task: () => void): () => void;
  /**
   * Adds a sentence to the story of the run. The text is built only when the story is recorded; undefined: there is
   * nothing to add.
   */
  note(actor: string, text: () => string | undefined): void;
  /** Runs pending tasks until the condition holds; false when it doesn't by `untilMs`, or nothing is pending. */
  runUntil(isDone: () => boolean, untilMs: number): Promise<boolean>;
  /** Number of tasks that ran. */
  tasks(): number;
}

/** A sentence of a run's story. */
export interface Note {
  readonly atMs: number;
  readonly actor: string;
  readonly text: string;
}

const { nextTick } = process;
const turn = (): Promise<void> => new Promise((resolve) => nextTick(resolve));

let current: World | undefined;

// A run must be the same with and without its story, also where a text fails.
const build = (text: () => string | undefined): string | undefined => {
  try {
    return text();
  } catch (error) {
    return `does what the story cannot describe: ${String(error)}`;
  }
};

/** The world that exists now. */
export const theWorld = (): World => {
  if (current === undefined) throw new Error('no simulation is running');
  return current;
};

/** Creates the world of a seed, which replaces the one before. `onNote` records the story; undefined: none is kept. */
export const createWorld = (seed: number, onNote?: (note: Note) => void): World => {
  const streams = new Map<string, Random>();
  const stream = (purpose: string): Random => {
    const known = streams.get(purpose);
    if (known !== undefined) return known;
    const created = createStream(seed, purpose);
    streams.set(purpose, created);
    return created;
  };
  const schedule = createSchedule(stream('order of equal times'));
  let tasks = 0;
  const world: World = {
    seed,
    nowMs: schedule.nowMs,
    stream,
    schedule: schedule.add,
    note: (actor, text) => {
      if (onNote === undefined) return;
      const built = build(text);
      if (built !== undefined) onNote({ atMs: schedule.nowMs(), actor, text: built });
    },
    runUntil: async (isDone, untilMs) => {
      // A turn of the real event loop runs every microtask, so that a task's consequences are complete before the next.
      await turn();
      while (!isDone()) {
        if (!schedule.runNext(untilMs)) return false;
        tasks += 1;
        await turn();
      }
      return true;
    },
    tasks: () => tasks,
  };
  current = world;
  return world;
};
