// npm run soak -- --minutes N: a server under load for minutes, with kills. Prints tables in Markdown.
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { describeMachine } from '../../bench/machine.ts';
import { createProgress } from '../../host/operator/progress.ts';
import { toKillingMinutes } from './division.ts';
import { toSlopes } from './growth.ts';
import { type Decision, decide, toExitCode, toReport } from './report.ts';
import type { CollectedSample } from './samples.ts';
import { runSoak, type SoakChain } from './soakRun.ts';

interface Options {
  readonly minutes: number;
  readonly rate?: number;
  readonly killEvery: number;
  readonly chain: SoakChain;
  readonly samples?: string;
}

const asPositive = (text: string): number => {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new InvalidArgumentError('It must be a number greater than 0.');
  return value;
};

const COLUMNS: readonly (keyof CollectedSample)[] = [
  'run',
  'minutes',
  'ageSeconds',
  'memory',
  'anonymous',
  'descriptors',
  'pending',
  'events',
  'heapUsed',
  'external',
  'collectionMs',
];

// The last columns are empty in a sample that no collection preceded.
const toCsv = (samples: readonly Partial<CollectedSample>[]): string =>
  [COLUMNS, ...samples.map((sample) => COLUMNS.map((column) => sample[column]))]
    .map((cells) => `${cells.join()}\n`)
    .join('');

const EXIT_CODES = `
Exit codes:
  0  no difference was found, and memory and descriptors are flat: their complete intervals lie below the bounds
  1  a difference was found, or a slope is not flat: its complete interval lies above the bound
  2  no difference was found, but no SIGKILL happened, or a slope is not decided: its interval contains the bound, or
     the run was too short; the table shows how many minutes it needs`;

const printDecision = ({ failures, undecided }: Decision): void => {
  for (const failure of failures) console.error(`failed: ${failure}`);
  for (const open of undecided) console.error(`not decided: ${open}`);
};

// The server and the node end first, by the listeners of `exit` in host/lifecycle/serverProcess.ts and
// test/support/externalNode.ts. Their last writes can be in progress, so the removal is repeated.
const removeWhenInterrupted = (dataDir: string): void => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.once('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
      console.error(`\n${signal}: the server is ended, and ${dataDir} removed`);
      process.exit(128 + constants.signals[signal]);
    });
  }
};

const run = async ({ minutes, rate, killEvery, chain, samples }: Options, command: Command): Promise<void> => {
  if (!existsSync('/proc/self/fd')) throw new Error('memory and descriptors are read from /proc, which only Linux has');
  // A file that can't be written is refused before the test, not after it.
  const refuseFile = ({ message }: Error): never => command.error(`error: --samples: ${message}`);
  await using samplesFile = samples === undefined ? undefined : await open(samples, 'w').catch(refuseFile);
  const dataDir = await mkdtemp(join(tmpdir(), 'provenance-soak-'));
  removeWhenInterrupted(dataDir);
  console.error(
    `${chain} chain, ${minutes} minutes, in the first ${toKillingMinutes(minutes)} of them a kill every ${killEvery} s; data in ${dataDir}`,
  );
  const result = await runSoak({
    dataDir,
    chain,
    minutes,
    killEverySeconds: killEvery,
    rate,
    onStep: createProgress(),
  });
  await samplesFile?.writeFile(toCsv([...result.samples, ...result.collected]));
  const slopes = toSlopes(result, chain, killEvery);
  console.log(`Machine: ${describeMachine()}.\n\n${toReport(result, slopes, minutes)}`);
  const decision = decide(result, slopes, minutes);
  printDecision(decision);
  process.exitCode = toExitCode(decision);
  if (decision.failures.length === 0) return rm(dataDir, { recursive: true, force: true });
  console.error(`the data directory stays: ${dataDir}`);
};

await new Command('soak')
  .description('Runs a server under load, kills it regularly, and compares the ledger with what was requested')
  .requiredOption('--minutes <n>', 'minutes of load', asPositive)
  .option('--rate <events>', 'events per second; without it, half of the rate that is measured first', asPositive)
  .option(
    '--kill-every <seconds>',
    'seconds that the server answers before it is killed, in the first 40 % of the time, at most 20 minutes',
    asPositive,
    60,
  )
  .addOption(new Option('--chain <kind>', 'chain of the ledger').choices(['embedded', 'anvil']).default('embedded'))
  .option('--samples <path>', 'file for all samples, as CSV')
  .addHelpText('after', EXIT_CODES)
  .action(run)
  .parseAsync();
