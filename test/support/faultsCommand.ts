// npm run test:faults -- --seeds N [--seed FIRST]: runs any number of seeds of faults.
import { Command } from 'commander';
import { PROXY_FAULTS } from './faultProxy.ts';
import { runSeeds } from './faultRun.ts';

const run = async ({ seeds, seed: first }: { seeds: string; seed: string }): Promise<void> => {
  const { failures, totals } = await runSeeds(Number(first), Number(seeds), (done) => {
    if (done % 50 === 0) console.error(`${done} of ${seeds} seeds`);
  });
  for (const { seed, error } of failures) console.error(`seed ${seed}:`, error);
  console.log(['none', ...PROXY_FAULTS].map((fault) => `${fault} ${totals.get(fault) ?? 0}`).join(', '));
  console.log(`${Number(seeds) - failures.length} of ${seeds} seeds from ${first} passed`);
  if (failures.length > 0) process.exitCode = 1;
};

await new Command('faults')
  .requiredOption('--seeds <number>', 'how many seeds')
  .option('--seed <number>', 'the first of them', String(Date.now() % 1_000_000_007))
  .action(run)
  .parseAsync();
