// Options that the commands of the suite share.
import { availableParallelism } from 'node:os';
import { InvalidArgumentError, Option } from 'commander';

// A test waits for disks, processes and timers for half of its time.
const JOBS_PER_CORE = 2;

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

/** The exit code after Ctrl-C. */
export const INTERRUPTED = 130;
