// Watches the memory in use: the embedded chain keeps every block and state in memory and cannot prune, so the operator
// must be warned before the memory is full.
import os from 'node:os';
import process from 'node:process';

/** Memory in use and its limit, in bytes. */
export interface MemoryUse {
  readonly usedBytes: number;
  readonly limitBytes: number;
}

/** Watches the memory in use. */
export interface MemoryWatch {
  /**
   * Reads the memory in use once; warns when it is above the threshold, and again after each further step of growth.
   */
  check(): void;
}

const THRESHOLD = 0.75;
const STEP = 0.05;

/** Memory of this process and of `otherBytes`, and its limit: the machine's memory or the container's. */
export const readMemoryUse = (otherBytes = 0): MemoryUse => {
  const constrained = process.constrainedMemory();
  const limits = [os.totalmem(), constrained].filter((bytes) => bytes > 0);
  return { usedBytes: process.memoryUsage.rss() + otherBytes, limitBytes: Math.min(...limits) };
};

const tryToRead = (readUse: () => MemoryUse, onProblem: (cause: unknown) => void): MemoryUse | undefined => {
  try {
    return readUse();
  } catch (cause) {
    onProblem(cause);
    return undefined;
  }
};

/**
 * A watch that calls `onWarning` when 75 % of the memory is used, and again at each further 5 %. When memory use can't
 * be read, calls `onProblem`, once until it can be read again: reading it opens files, and a process may have too many
 * open.
 */
export const createMemoryWatch = (options: {
  readUse: () => MemoryUse;
  onWarning: (use: MemoryUse) => void;
  onProblem: (cause: unknown) => void;
}): MemoryWatch => {
  let threshold = THRESHOLD;
  let isUnreadable = false;
  const onProblem = (cause: unknown): void => {
    if (!isUnreadable) options.onProblem(cause);
  };
  return {
    check: () => {
      const use = tryToRead(options.readUse, onProblem);
      isUnreadable = use === undefined;
      if (use === undefined) return;
      const fraction = use.usedBytes / use.limitBytes;
      if (fraction < threshold) return;
      threshold = fraction + STEP;
      options.onWarning(use);
    },
  };
};
