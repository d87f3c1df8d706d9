// npm run check [-- NAME…]: everything that a machine can check without running the project.
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { Argument, Command } from 'commander';
import { ROOT } from '../support/sources.ts';
import { type Check, runChecks } from './runChecks.ts';

const SOLIDITY = '{contracts,test}/**/*.sol';
const LANES_MAX = 2;
const INTERRUPTED_CODE = 130;

const toCheck = (name: string, ...[command, ...args]: [string, ...string[]]): Check => ({ name, command, args });

// TypeScript reads what it found the last time, and reads again what has changed since.
const toTypeCheck = (name: string, ...args: string[]): Check =>
  toCheck(name, 'tsc', ...args, '--incremental', '--tsBuildInfoFile', join(ROOT, '.node', `${name}.tsbuildinfo`));

// The dearest first.
const CHECKS: readonly Check[] = [
  toTypeCheck('types'),
  toCheck('format-and-lint', 'biome', 'ci', '.'),
  toTypeCheck('types-of-explorer', '-p', 'explorer'),
  toCheck(
    'conventions',
    ...(['mocha', '--reporter', 'dot', 'test/tidy.test.ts', 'test/words.test.ts', 'test/references.test.ts'] as const),
  ),
  toCheck('lint-of-solidity', 'solhint', '--noPoster', '--disc', '--max-warnings', '0', SOLIDITY),
  toCheck('format-of-solidity', 'prettier', '--check', SOLIDITY),
  toCheck(
    'generated-types',
    ...(['openapi-typescript', 'server/openapi.yaml', '--output', 'server/openapi/api.gen.ts', '--check'] as const),
  ),
  toCheck('generated-contract', 'node', 'scripts/generateContract.ts', '--check'),
  toCheck('generated-compliance', 'node', 'scripts/generateCompliance.ts', '--check'),
  toCheck('generated-errors', 'node', 'scripts/generateErrors.ts', '--check'),
];

const toLine = ({ name, command, args }: Check): string => `  ${name}: ${[command, ...args].join(' ')}`;

const check = async (names: readonly string[]): Promise<void> => {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
  const folders = [join(ROOT, '.node', 'bin'), join(ROOT, 'node_modules', '.bin'), process.env.PATH];
  process.chdir(ROOT);
  const failed = await runChecks(names.length === 0 ? CHECKS : CHECKS.filter(({ name }) => names.includes(name)), {
    env: { ...process.env, PATH: folders.join(delimiter) },
    lanes: Math.min(LANES_MAX, availableParallelism()),
    print: console.log,
    signal: stopped.signal,
  });
  if (stopped.signal.aborted) process.exitCode = INTERRUPTED_CODE;
  else if (failed.length > 0) {
    const failedNames = failed.map(({ name }) => name).join(' ');
    console.error(`failed: ${failedNames}\nAgain: npm run check -- ${failedNames}`);
    process.exitCode = 1;
  }
};

await new Command('npm run check --')
  .description('Checks formats, types, generated files and conventions, two of them at a time.')
  .addArgument(new Argument('[names...]', 'the checks to run, all by default').choices(CHECKS.map(({ name }) => name)))
  .addHelpText('after', `\nThe checks and their commands:\n${CHECKS.map(toLine).join('\n')}`)
  .action(check)
  .parseAsync();
