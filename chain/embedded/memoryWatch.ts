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

/** Watch that calls `onWarning` when 75 % of the memory is used, and again at each further 5 %. */
export const createMemoryWatch = (options: {
  readUse: () => MemoryUse;
  onWarning: (use: MemoryUse) => void;
}): MemoryWatch => {
  let mark = MARK;
  return {
    check: () => {
      const use = options.readUse();
      const fraction = use.usedBytes / use.limitBytes;
      if (fraction < mark) return;
      mark = fraction + STEP;
      options.onWarning(use);
    },
  };
};
