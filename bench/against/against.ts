// npm run bench:against -- COMMIT: measures this tree against another commit of this repository, one after the other in
// each round, with the same load generator. Prints a table, and writes it to docs/measurements/writes.md on request.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { onStopSignal } from '../../host/lifecycle/stopSignals.ts';
import { describeMachine } from '../machine.ts';
import { replaceSection } from '../page.ts';
import { checkOut, REPOSITORY, removeCheckout, resolveCommit, setUpCheckout } from './checkout.ts';
import { type Figures, type Round, toComparison } from './figures.ts';
import { ASSETS, measureTree, type Plan, WARM_UP_EVENTS, WARM_UP_MS } from './measureTree.ts';
import { readTree, type Tree } from './tree.ts';

interface Options extends Plan {
  readonly rounds: number;
  readonly checkout?: string;
  readonly print: boolean;
  readonly record: boolean;
}

const PAGE = fileURLToPath(new URL('../../docs/measurements/writes.md', import.meta.url));
const RECORDED_ROUNDS_MIN = 3;

const parseCount = (text: string): number => {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('It is a whole number, 1 or more.');
  return count;
};

// Returns the path of the prepared commit. What this run created goes with the stack.
const prepare = async (
  commit: string,
  checkout: string | undefined,
  { stack, signal }: { stack: AsyncDisposableStack; signal: AbortSignal },
): Promise<string> => {
  let path = checkout === undefined ? undefined : resolve(checkout);
  if (path === undefined) {
    const directory = await mkdtemp(join(tmpdir(), 'provenance-against-'));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    const created = join(directory, 'tree');
    stack.defer(() => removeCheckout(REPOSITORY, created));
    path = created;
  }
  console.error(`checking ${commit} out to ${path} ...`);
  await checkOut(REPOSITORY, commit, path);
  signal.throwIfAborted();
  await setUpCheckout(path, signal);
  return path;
};

const toText = (count: number): string => count.toLocaleString('en-US');

const describeFigures = (name: string, figures: Figures): string =>
  `  ${name}: ${Object.entries(figures)
    .map(([figure, value]) => `${figure} ${value.toFixed(2)}`)
    .join(', ')}`;

const measureRounds = async (
  { here, there }: { here: Tree; there: Tree },
  options: Options,
  signal: AbortSignal,
): Promise<{ rounds: Round[]; generatorCpuUs: number }> => {
  const rounds: Round[] = [];
  let generatorCpuUs = 0;
  const measure = async (name: string, tree: Tree): Promise<Figures> => {
    console.error(`round ${rounds.length + 1} of ${options.rounds}: ${name} ...`);
    const result = await measureTree(tree, options, signal);
    generatorCpuUs = Math.max(generatorCpuUs, result.generatorCpuUs);
    if (options.print) console.error(describeFigures(name, result.figures));
    return result.figures;
  };
  while (rounds.length < options.rounds) {
    const other = await measure('the other commit', there);
    rounds.push({ there: other, here: await measure('this tree', here) });
  }
  return { rounds, generatorCpuUs };
};

const toReport = (
  { here, there, commit }: { here: Tree; there: Tree; commit: string },
  { rounds, generatorCpuUs }: { rounds: readonly Round[]; generatorCpuUs: number },
  { clients, seconds, eventsMin }: Options,
): string => `Written by \`npm run bench:against -- ${commit.slice(0, 7)} --record\`. ${rounds.length} rounds; in each, first the server of
commit ${commit.slice(0, 7)}, then that of this tree, each in a process of its own on a fresh data directory with \`LOG_LEVEL=warn\`.
The same load generator posts events of 8 attributes to ${ASSETS} assets in turn, in a closed loop over persistent
connections: 1 client for ${seconds} s, then ${clients} clients for ${seconds} s and ${toText(eventsMin)} events at least, each after ${WARM_UP_MS / 1_000} s of warm-up, the
second also after ${toText(WARM_UP_EVENTS)} events. Every answer is checked to be \`CONFIRMED\`. Memory is the resident memory of the
server process (\`VmRSS\`) at the end of the measured time with ${clients} clients, less that at its beginning, divided by the
events between. During the warm-up, V8's young generation, LevelDB's write buffers and the caches grow to their bounds,
some 250 MiB together, which divided by a few thousand events would look like growth. CPU time is the kernel's count of
the same process and time. Columns are medians of the rounds; the ratio is the median of the rounds' ratios. Aims in
figures are for a quiet machine.

Machine: ${describeMachine()}. The other commit runs on Node ${there.nodeVersion}, this tree on ${here.nodeVersion}.
The load generator shares the cores: ${generatorCpuUs.toFixed(0)} µs of CPU time an event at most.

${toComparison(rounds, clients, commit.slice(0, 7))}
`;

const record = async (report: string): Promise<void> =>
  writeFile(PAGE, replaceSection(await readFile(PAGE, 'utf8'), 'Against the first version', report));

const compare = async (revision: string, options: Options, signal: AbortSignal): Promise<void> => {
  if (options.record && options.rounds < RECORDED_ROUNDS_MIN)
    throw new Error(`--record needs ${RECORDED_ROUNDS_MIN} rounds or more`);
  await using stack = new AsyncDisposableStack();
  const commit = await resolveCommit(REPOSITORY, revision);
  const path = await prepare(commit, options.checkout, { stack, signal });
  const trees = { here: await readTree(REPOSITORY), there: await readTree(path), commit };
  const report = toReport(trees, await measureRounds(trees, options, signal), options);
  console.log(report);
  if (options.record) await record(report);
};

const run = async (revision: string, options: Options): Promise<void> => {
  const stop = new AbortController();
  onStopSignal((signal) => {
    console.error(`${signal}: what was created is being removed`);
    process.exitCode = 128 + constants.signals[signal];
    stop.abort();
  });
  try {
    await compare(revision, options, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) console.error(`no comparison: ${(error as Error).message}`);
    process.exitCode ??= 1;
  }
  // The handlers of signals would keep nothing alive, but connections of `fetch` do for some seconds.
  process.exit();
};

await new Command('bench:against')
  .description('Measures this tree against another commit: rate, latency, memory and CPU time of committed events')
  .argument('<commit>', 'any name of the other commit')
  .option('--clients <n>', 'clients of the loaded part', parseCount, 64)
  .option('--seconds <n>', 'measured time of each part', parseCount, 10)
  .option('--events <n>', 'fewest events of the loaded part, for the memory', parseCount, 20_000)
  .option('--rounds <n>', 'times that each of the two is measured', parseCount, RECORDED_ROUNDS_MIN)
  .option('--checkout <path>', 'prepare the other commit in this directory and keep it for the next run')
  .option('--print', "print each round's figures", false)
  .option('--record', 'write the table to docs/measurements/writes.md', false)
  .action((commit: string, { events, ...options }: Omit<Options, 'eventsMin'> & { events: number }) =>
    run(commit, { ...options, eventsMin: events }),
  )
  .parseAsync();
