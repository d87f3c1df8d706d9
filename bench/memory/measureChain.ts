// Measures one chain, in a process of its own, so that its memory has no part of another's.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ChainOrder, MemoryReading } from './chainOrder.ts';
import { toBytesPerRecord } from './slope.ts';

const PROGRAM = fileURLToPath(new URL('writeChain.ts', import.meta.url));
/** A small young generation, in MiB, has its size before the first reading that counts. */
const YOUNG_OPTION = '--max-semi-space-size=4';
/** Of the readings: meanwhile the allocator reaches the size that a block needs, and the cached states their number. */
const WARM_UP_SHARE = 1 / 3;

/**
 * The growth of the resident memory for each record, in bytes.
 * @throws Error when the writing process fails
 */
export const measureChain = async (order: ChainOrder): Promise<number> => {
  const child = fork(PROGRAM, { execArgv: [YOUNG_OPTION] });
  try {
    child.send(order);
    const ended = once(child, 'disconnect').then(() => {
      throw new Error('the writing process failed');
    });
    const [readings] = (await Promise.race([once(child, 'message'), ended])) as [MemoryReading[]];
    return toBytesPerRecord(readings.slice(Math.ceil(readings.length * WARM_UP_SHARE)));
  } finally {
    child.kill('SIGKILL');
  }
};
