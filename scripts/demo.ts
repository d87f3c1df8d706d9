// npm run demo: records the maintenance of a door on the running server, and checks the last event on the contract
// without the server.
import { Command } from 'commander';
import { runDemo } from '../host/operator/demo.ts';
import { runCommand } from '../host/operator/runCommand.ts';

await new Command('demo')
  .description('Runs a short story against the running server of this data directory (DATA_DIR)')
  .option('--pause <ms>', 'pause between the scenes, in milliseconds', '600')
  .action(({ pause }: { pause: string }) => runCommand('the demo ends early', () => runDemo(Number(pause))))
  .parseAsync();
