// npm run witness -- --name NAME --log VKEY: a witness of block logs, for a tenant or an auditor to run.
import { Command, InvalidArgumentError } from 'commander';
import { guardProcess } from '../host/lifecycle/guardProcess.ts';
import { parseCommand } from '../host/operator/parseCommand.ts';
import { runCommand } from '../host/operator/runCommand.ts';
import { runWitness, type WitnessCommand } from '../host/witness/runWitness.ts';

const add = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

const toCount = (text: string): number => {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('a number from 0 to 999999.');
  return Number(text);
};

const HELP = `
A witness cosigns the checkpoints of logs (c2sp.org/tlog-witness), and none that contradicts an earlier one. It needs no
ledger and no data directory of one. Its key is created at the first start; the line "witness ..." shows the verifier
key, which the log's operator and those who check evidence need. Never run it from an old copy of its directory.`;

guardProcess();

const program = new Command('witness')
  .description('Runs a witness of transparency logs')
  .option('--directory <path>', 'key and state of this witness alone; created at the first start', './witness')
  .option('--name <name>', 'name of the witness, such as witness.example/ledger; fixed at the first start')
  .option('--log <vkey>', 'verifier key of a log to follow; several times for several logs', add)
  .option('--logs <file>', 'file with the verifier key of a log in each line; # begins a comment')
  .option('--host <address>', 'address that it listens on', '127.0.0.1')
  .option('--port <port>', 'port; 0 means any free one', '8090')
  .option(
    '--requests-per-second <n>',
    'of one address, and 10 times as many more in a minute; 0: no limit',
    toCount,
    10,
  )
  .addHelpText('after', HELP)
  .action((options: WitnessCommand) => runCommand('the witness does not start', () => runWitness(options)));

await parseCommand(program, process.argv.slice(2));
