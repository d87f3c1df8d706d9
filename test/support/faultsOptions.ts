// The options of `npm run test:faults`.
import { Command } from 'commander';
import { parseCount, refuseInexactSeeds, toNewSeed } from '../simulation/command/optionParsers.ts';

/** The options as they are parsed. */
export interface FaultsOptions {
  readonly seeds: number;
  /** The first of them. */
  readonly seed: number;
}

/** The command, which calls `run` with its options. Options that are no seeds end the process. */
export const createFaultsCommand = (run: (options: FaultsOptions) => void | Promise<void>): Command =>
  new Command('faults')
    .description('Runs the ledger behind a proxy whose faults follow from a seed')
    .requiredOption('--seeds <n>', 'how many seeds', parseCount)
    .option('--seed <n>', 'the first of them; without it they are new each time', parseCount, toNewSeed())
    .allowExcessArguments(false)
    .action((options: FaultsOptions, program: Command) => {
      refuseInexactSeeds(program, options.seeds, options.seed);
      return run(options);
    });
