// npm run demo: records containers, gauges and doors on the running server, and shows where to look at them. With
// --live it goes on with new events.
import { Command } from 'commander';
import { DEMO_SCALE, readDemoScale } from '../host/demo/demoScale.ts';
import { recordLiveUntilStopped } from '../host/demo/liveEvents.ts';
import { runDemo } from '../host/demo/runDemo.ts';
import { runMain } from '../host/lifecycle/guardProcess.ts';
import { parseCommand } from '../host/operator/parseCommand.ts';
import { runCommand } from '../host/operator/runCommand.ts';

/** Runs `npm run demo` with these arguments. */
export const demoCommand = (args: readonly string[]): Promise<void> =>
  parseCommand(
    new Command('demo')
      .description('Records the same data for the same options on the running server of this data directory (DATA_DIR)')
      .option('--seed <number>', 'what the data is drawn from: 0 to 999999', String(DEMO_SCALE.seed))
      .option('--assets <number>', 'assets: 8 to 240', String(DEMO_SCALE.assets))
      .option('--events <number>', 'events besides the creations of assets: up to 20000', String(DEMO_SCALE.events))
      .option('--live', 'go on with new events every 3 s, until Ctrl-C')
      .action(({ live, ...options }: Record<'seed' | 'assets' | 'events', string> & { live?: true }) =>
        runCommand('the demo ends early', async () => {
          const { apis, demo } = await runDemo(readDemoScale(options));
          if (live) await recordLiveUntilStopped(apis, demo);
        }),
      ),
    args,
  );

if (import.meta.main) await runMain(demoCommand);
