// The embedded chain keeps every block and state in memory and cannot prune: somebody must hear of it before memory is out.
import os from 'node:os';
import process from 'node:process';

export interface MemoryUse {
  readonly usedBytes: number;
  readonly limitBytes: number;
}

export interface MemoryWatch {
  /** Looks once; warns when the use has passed the mark, and again each time it has grown by another step since. */
  check(): void;
}

const MARK = 0.75;
const STEP = 0.05;

/** Memory of this process, and what it can have at most: the machine's, or its container's. */
export const readMemoryUse = (): MemoryUse => {
  const constrained = process.constrainedMemory();
  const limits = [os.totalmem(), constrained].filter((bytes) => bytes > 0);
  return { usedBytes: process.memoryUsage.rss(), limitBytes: Math.min(...limits) };
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
 * Watch that calls `onWarning` when 75 % of the memory is used, and again at each further 5 %. When the memory can't be read it calls
 * `onProblem`, once until it can be read again: reading it opens files, and a process may have too many open.
 */
export const createMemoryWatch = (options: {
  readUse: () => MemoryUse;
  onWarning: (use: MemoryUse) => void;
  onProblem: (cause: unknown) => void;
}): MemoryWatch => {
  let mark = MARK;
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
      if (fraction < mark) return;
      mark = fraction + STEP;
      options.onWarning(use);
    },
  };
};
