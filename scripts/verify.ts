// npm run verify -- <event.json or URL> --rpc URL --contract ADDRESS: does the ledger have exactly this event?
import { Command } from 'commander';
import { checkEvent, type EventCheckOptions } from '../host/operator/checkEvent.ts';
import { runCommand } from '../host/operator/runCommand.ts';

const VERIFIED = 0;
const NOT_VERIFIED = 1;
const NOT_CHECKED = 2;

await new Command('verify')
  .description('Checks an event against the ledger contract, without trusting the server that returned it')
  .argument('<event>', 'the event as the API returns it: a JSON file, - for standard input, or a URL')
  .requiredOption('--rpc <url>', 'JSON-RPC endpoint of a node of the chain that you trust')
  .requiredOption('--contract <address>', 'address of the ledger contract')
  .option('--token <token>', 'bearer token, when the event is read from a URL that needs one')
  .addHelpText('after', '\nExit codes: 0 verified, 1 not verified, 2 could not be checked.')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? VERIFIED : NOT_CHECKED))
  .action((source: string, options: EventCheckOptions) =>
    runCommand(
      'could not be checked',
      async () => ((await checkEvent(source, options)) ? VERIFIED : NOT_VERIFIED),
      NOT_CHECKED,
    ),
  )
  .parseAsync();
