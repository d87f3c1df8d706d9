// npm run setup: brings a fresh clone to where it can run. Every npm script begins with it. Plain JavaScript without
// packages, as everything in setup/ is: it runs on whatever Node (>= 20) the machine has, before anything is installed.
import { stopOnSignals } from '../setup/children.js';
import { SetupError } from '../setup/platforms.js';
import { setUp } from '../setup/setUp.js';
import { print } from '../setup/terminal.js';

const [goal = 'runtime', ...rest] = process.argv.slice(2);

stopOnSignals();
try {
  if ((goal !== 'runtime' && goal !== 'development') || rest.length > 0)
    throw new SetupError('usage: node scripts/setup.js [runtime|development]');
  await setUp(goal);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  print(error.message);
  process.exitCode = 1;
}
