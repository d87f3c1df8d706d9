// Writes a part of a ledger in a process of its own, so that its cost has no part of the benchmark's.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { GrowthCost, GrowthOrder } from './growthOrder.ts';

const PROGRAM = fileURLToPath(new URL('writeGrowth.ts', import.meta.url));

/** Writes the events of an order in a process of its own. Rejects when that fails. */
export const growLedger = async (order: GrowthOrder): Promise<GrowthCost> => {
  const child = fork(PROGRAM, { execArgv: ['--max-semi-space-size=64'] });
  try {
    child.send(order);
    const ended = once(child, 'disconnect').then(() => {
      throw new Error('the writing process failed');
    });
    const [cost] = (await Promise.race([once(child, 'message'), ended])) as [GrowthCost];
    if (child.exitCode === null) await once(child, 'exit');
    return cost;
  } finally {
    child.kill('SIGKILL');
  }
};
