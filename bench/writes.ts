// npm run bench: measures how many events a second the server commits, and the latency of one, with 1, 16 and 64
// clients in a closed loop in a second process on the same machine. Writes docs/measurements/writes.md. With `--rpc` it
// measures a network instead (bench/network/networkBench.ts).
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { type ServerProcess, startServerProcess } from '../host/lifecycle/serverProcess.ts';
import { runCommand } from '../host/operator/runCommand.ts';
import { runOperatorCommand } from '../host/operator/runOperatorCommand.ts';
import { FIRST_TENANT } from '../host/tenants.ts';
import { createAssets } from './load/createAssets.ts';
import { type LoadOrder, runLoad } from './load/runLoad.ts';
import { describeMachine } from './machine.ts';
import { runNetworkBench } from './network/networkBench.ts';
import { replaceSection } from './page.ts';
import { quantile } from './quantile.ts';
import { toTable } from './table.ts';

const CLIENTS = [1, 16, 64];
const NETWORK_ASSETS = 1_500;
const NETWORK_CLIENTS = [64, 400, 1_500];
const ASSETS = 50;
const WARM_UP_MS = 3_000;
const REPORT = fileURLToPath(new URL('../docs/measurements/writes.md', import.meta.url));

// The defaults of an installation, with a rate limit that is counted and never reached: all clients are one tenant.
const SETTINGS = { RATE_LIMIT_PER_SECOND: '100000', METRICS_PORT: '0' };

interface WriteResult {
  readonly clients: number;
  readonly events: number;
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

const measure = async (order: LoadOrder): Promise<WriteResult> => {
  const { latenciesMs, elapsedMs } = await runLoad(order);
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  return {
    clients: order.clients,
    events: sorted.length,
    perSecond: sorted.length / (elapsedMs / 1000),
    medianMs: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
  };
};

const toResults = (rows: readonly WriteResult[]): string =>
  toTable(
    ['clients', 'events/s', 'median, ms', 'p99, ms', 'events measured'],
    rows.map(({ clients, perSecond, medianMs, p99Ms, events }) => [
      clients,
      perSecond.toFixed(0),
      medianMs.toFixed(2),
      p99Ms.toFixed(2),
      events,
    ]),
  );

const toReport = (
  rows: readonly WriteResult[],
  seconds: number,
): string => `Written by \`npm run bench\`. Every event is one POST to \`v2/assets/{uuid}/events\`, validated, signed, mined,
durable in the chain's journal and shown by the index before it is answered with \`CONFIRMED\`. Clients post in a closed
loop over persistent connections from a second process on the same machine, events of 8 attributes to ${ASSETS} assets in
turn; ${seconds} s are measured after ${WARM_UP_MS / 1000} s of warm-up, all in one run on one fresh data directory.

Machine: ${describeMachine()}.

${toResults(rows)}
`;

const record = async (report: string): Promise<void> =>
  writeFile(REPORT, replaceSection(await readFile(REPORT, 'utf8'), 'Rates and latencies', report));

interface BenchOptions {
  readonly rpc?: string;
  readonly clients?: readonly number[];
  readonly rate?: readonly number[];
  readonly seconds: number;
  readonly assets: number;
  readonly inFlight: number;
  readonly fundingKey?: string;
  readonly title?: string;
  readonly record: boolean;
  readonly print: boolean;
  readonly cpuProf: boolean;
}

const runEmbedded = async ({ clients: counts = CLIENTS, ...options }: BenchOptions): Promise<void> => {
  const { seconds } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'provenance-bench-'));
  let server: ServerProcess | undefined;
  try {
    const nodeArguments = options.cpuProf ? ['--cpu-prof', `--cpu-prof-dir=${tmpdir()}`] : [];
    server = await startServerProcess(dataDir, nodeArguments, SETTINGS);
    const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', {
      tenant: FIRST_TENANT,
      role: 'root',
    });
    const url = `${server.url}/archivist`;
    const assets = await createAssets(url, token, ASSETS);
    const rows: WriteResult[] = [];
    for (const clients of counts) {
      console.error(`${clients} clients: ${seconds} s after ${WARM_UP_MS / 1000} s of warm-up ...`);
      rows.push(
        await measure({
          url,
          token,
          assets,
          clients,
          warmUpMs: WARM_UP_MS,
          warmUpEvents: 1,
          measureMs: seconds * 1000,
          eventsMin: 1,
        }),
      );
    }
    console.log(toResults(rows));
    if (!options.print) await record(toReport(rows, seconds));
  } finally {
    await server?.stop('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
};

const run = async (options: BenchOptions): Promise<void> => {
  const { rpc, clients = NETWORK_CLIENTS, rate: rates = [], fundingKey: fundingKeyFile, title } = options;
  if (rpc === undefined) await runEmbedded(options);
  else console.log(await runNetworkBench({ ...options, rpc, clients, rates, fundingKeyFile, title }));
};

const asNumber = (text: string): number => {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('It must be a whole number above 0.');
};
const asNumbers = (text: string): number[] => text.split(',').map(asNumber);

const NETWORK_OPTIONS = ['rate', 'assets', 'inFlight', 'fundingKey', 'title', 'record'];

const assertNetworkOptions = (command: Command): void => {
  if (command.getOptionValue('rpc') !== undefined) return;
  const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  if (NETWORK_OPTIONS.some(isGiven)) command.error('error: an option for a network is given without --rpc');
};

await new Command('bench')
  .description('Measures committed events per second and latency, and writes docs/measurements/writes.md')
  .option(
    '--clients <n,n>',
    `clients of each closed loop (default: ${CLIENTS}, on a network ${NETWORK_CLIENTS})`,
    asNumbers,
  )
  .option('--seconds <n>', 'measured time for each load', asNumber, 10)
  .option('--print', 'only print, leave docs/measurements/writes.md as it is', false)
  .option('--cpu-prof', "write a profile of the server's main thread to the temporary directory", false)
  .optionsGroup('On a network, where a table is written only with --record:')
  .option(
    '--rpc <urls>',
    'measure on the network of these nodes, beside a bare loop; deploys a ledger there; Linux only',
  )
  .option('--rate <n,n>', 'also open loops: so many events a second arrive, whatever the answers', asNumbers)
  .option('--assets <n>', 'assets that the events go to, in turn', asNumber, NETWORK_ASSETS)
  .option('--in-flight <n>', 'transactions of the bare loop that are sent and not mined', asNumber, 64)
  .option('--funding-key <file>', 'private key of an account that pays for gas, as 0x and 64 digits; default: wait')
  .option('--title <text>', "heading of the table in docs/measurements/network.md; default: the node's version")
  .option('--record', 'write the table to docs/measurements/network.md', false)
  .action((options: BenchOptions, command: Command) => {
    assertNetworkOptions(command);
    return runCommand('not measured', () => run(options));
  })
  .parseAsync();
