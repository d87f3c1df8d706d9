// npm run setup: brings a fresh clone to where it can run. Every npm script begins with it. Plain JavaScript without
// packages, as everything in setup/ is: it runs on whatever Node (>= 20) the machine has, before anything is installed.
import { stopOnSignals } from '../setup/children.js';
import { toDiskRefusal } from '../setup/disk.js';
import { SetupError } from '../setup/platforms.js';
import { setUp } from '../setup/setUp.js';
import { print } from '../setup/terminal.js';

const [goal = 'runtime', ...rest] = process.argv.slice(2);

const HELP = `Usage: npm run setup [-- runtime|development]

Installs what is missing, and nothing else.

  runtime      what the server and its commands need (default)
  development  also what tests, checks and benchmarks need
  -h, --help   print this text`;

stopOnSignals();
try {
  if (goal === '--help' || goal === '-h') console.log(HELP);
  else if ((goal === 'runtime' || goal === 'development') && rest.length === 0) await setUp(goal);
  else throw new SetupError('usage: node scripts/setup.js [runtime|development]');
} catch (error) {
  const refusal = error instanceof SetupError ? error : toDiskRefusal(error);
  if (refusal === undefined) throw error;
  print(refusal.message);
  process.exitCode = 1;
}
