// npm run test:faults -- --seeds N [--seed FIRST]: runs any number of seeds of faults.
import { count } from './count.ts';
import { PROXY_FAULTS } from './faultProxy.ts';
import { runSeeds } from './faultRun.ts';
import { createFaultsCommand, type FaultsOptions } from './faultsOptions.ts';

const run = async ({ seeds, seed: first }: FaultsOptions): Promise<void> => {
  const { failures, totals } = await runSeeds(first, seeds, (done) => {
    if (done % 50 === 0) console.error(`${done} of ${count(seeds, 'seed')}`);
  });
  for (const { seed, error } of failures) console.error(`seed ${seed}:`, error);
  console.log(['none', ...PROXY_FAULTS].map((fault) => `${fault} ${totals.get(fault) ?? 0}`).join(', '));
  console.log(`${seeds - failures.length} of ${count(seeds, 'seed')} from ${first} on passed`);
  if (failures.length > 0) process.exitCode = 1;
};

await createFaultsCommand(run).parseAsync();
