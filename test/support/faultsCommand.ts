// npm run test:faults -- --seeds N [--seed FIRST]: as many seeds of faults as anybody has time for.
import { Command } from 'commander';
import { PROXY_FAULTS } from './faultProxy.ts';
import { openFaultBench, runFaults } from './faultRun.ts';

const run = async ({ seeds, seed: first }: { seeds: string; seed: string }): Promise<void> => {
  const bench = await openFaultBench();
  const totals = new Map<string, number>();
  const failed: number[] = [];
  for (let seed = Number(first); seed < Number(first) + Number(seeds); seed += 1) {
    try {
      for (const [fault, count] of await runFaults(bench, seed)) totals.set(fault, (totals.get(fault) ?? 0) + count);
    } catch (error) {
      failed.push(seed);
      console.error(`seed ${seed}:`, error);
    }
    if ((seed - Number(first) + 1) % 50 === 0) console.error(`${seed - Number(first) + 1} of ${seeds} seeds`);
  }
  await bench.close();
  console.log(['none', ...PROXY_FAULTS].map((fault) => `${fault} ${totals.get(fault) ?? 0}`).join(', '));
  console.log(
    `${Number(seeds) - failed.length} of ${seeds} seeds from ${first} passed; failed: ${failed.join() || 'none'}`,
  );
  if (failed.length > 0) process.exitCode = 1;
};

await new Command('faults')
  .requiredOption('--seeds <number>', 'how many seeds')
  .option('--seed <number>', 'the first of them', String(Date.now() % 1_000_000_007))
  .action(run)
  .parseAsync();
