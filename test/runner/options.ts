// Options that the commands of the suite share.
import { availableParallelism } from 'node:os';
import { InvalidArgumentError, Option } from 'commander';
import { FULL_DISK } from './fileResult.ts';

// A test waits for disks, processes and timers for half of its time.
const JOBS_PER_CORE = 2;
const UNUSABLE = 2;

/** Reads a whole number of at least `min`. */
export const asInteger =
  (min: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min)
      throw new InvalidArgumentError(`It must be a whole number of at least ${min}.`);
    return value;
  };

/** `--jobs`: how many processes run tests at once. */
export const jobsOption = (): Option =>
  new Option('--jobs <number>', 'processes that run at once')
    .argParser(asInteger(1))
    .default(JOBS_PER_CORE * availableParallelism());

/** Runs a command; ends the process with its exit code, or with a sentence where a person can do something. */
export const exitWith = async (run: () => Promise<number>): Promise<void> => {
  try {
    process.exitCode = await run();
  } catch (error) {
    const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    if (!isFull && !(error instanceof RangeError)) throw error;
    console.error(isFull ? FULL_DISK : (error as Error).message);
    process.exitCode = UNUSABLE;
  }
};

/** The exit code after Ctrl-C. */
export const INTERRUPTED = 130;
