// npm run bench -- --rpc URL: measures the events that a server commits on a network, in closed loops of clients and in
// open loops, and in the same run what the network takes from a bare loop without a server.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonRpcClient } from '../../chain/jsonRpc/jsonRpcClient.ts';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { createProgress } from '../../host/operator/progress.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import { FIRST_TENANT } from '../../host/tenants.ts';
import { createAssets } from '../load/createAssets.ts';
import { readProcessUsage } from '../load/processUsage.ts';
import { type LoadOrder, runLoad } from '../load/runLoad.ts';
import { describeMachine } from '../machine.ts';
import { replaceSection } from '../page.ts';
import { type BareResult, runBareLoop } from './bareLoop.ts';
import { type ChainUse, fetchBlockNumber, fetchChainUse } from './chainUse.ts';
import { type Api, awaitNonePending, countEvents } from './eventCounts.ts';
import { type LoadFigures, toEventsPerSecond, toNetworkTable } from './networkTable.ts';
import { type DeployedLedger, deployForBench, openSigners } from './openNetworkLedger.ts';

/** What a run on a network measures. */
export interface NetworkBenchOptions {
  /** URLs of nodes, with commas between. */
  readonly rpc: string;
  /** Clients of each closed loop. */
  readonly clients: readonly number[];
  /** Events per second of each open loop. */
  readonly rates: readonly number[];
  /** Assets that the events go to, in turn: the records of one are in one transaction at a time. */
  readonly assets: number;
  /** Measured time of each load. */
  readonly seconds: number;
  /** Most transactions of the bare loop that are sent and not mined. */
  readonly inFlight: number;
  readonly fundingKeyFile: string | undefined;
  /** Whether the table is written into docs/measurements/network.md, and below which heading. */
  readonly record: boolean;
  readonly title: string | undefined;
  readonly cpuProf: boolean;
}

const WARM_UP_MS = 5_000;
const SILENCE_MS = 120_000;
const REPORT = fileURLToPath(new URL('../../docs/measurements/network.md', import.meta.url));

// The defaults of an installation, with limits of one tenant and one address that are counted and never reached.
const SETTINGS = {
  RATE_LIMIT_PER_SECOND: '100000',
  METRICS_PORT: '0',
  LOG_LEVEL: 'warn',
  CONNECTIONS_MAX: '5000',
  CONNECTIONS_PER_ADDRESS: '5000',
};

type Load = Pick<LoadOrder, 'clients' | 'perSecond'> & { readonly title: string };

const toLoads = ({ clients, rates }: NetworkBenchOptions): Load[] => [
  ...clients.map((count) => ({ title: `${count} clients`, clients: count })),
  ...rates.map((perSecond) => ({ title: `${perSecond} events/s arrive`, clients: 1, perSecond })),
];

const progress = createProgress();

const showTime = (title: string, seconds: number): (() => void) => {
  const beganMs = performance.now();
  const draw = (): void => {
    const done = Math.floor((performance.now() - beganMs) / 1000);
    if (done < seconds) progress({ title, unit: 's', done, total: seconds });
  };
  const timer = setInterval(draw, 500).unref();
  return () => {
    clearInterval(timer);
    progress.end();
  };
};

interface Boundary {
  readonly block: number;
  readonly mainThreadMs: number;
}

const readBoundary = async (client: JsonRpcClient, pid: number): Promise<Boundary> => {
  const [block, { mainThreadCpuMs }] = await Promise.all([fetchBlockNumber(client), readProcessUsage(pid)]);
  return { block, mainThreadMs: mainThreadCpuMs };
};

const measureLoad = async (
  { client, contract }: DeployedLedger,
  target: Api & { readonly assets: readonly string[]; readonly pid: number },
  load: Load,
  seconds: number,
): Promise<LoadFigures> => {
  const failed = await countEvents(target, 'FAILED');
  const { pid, ...place } = target;
  const boundaries: Promise<Boundary>[] = [];
  const times = { warmUpMs: WARM_UP_MS, warmUpEvents: 1, measureMs: seconds * 1000, eventsMin: 1 };
  const endTime = showTime(load.title, seconds + WARM_UP_MS / 1000);
  const onBoundary = () => boundaries.push(readBoundary(client, pid));
  const order = { ...place, ...times, ...load, acceptsPending: true };
  const result = await runLoad(order, { onBoundary }).finally(endTime);
  const [began, ended] = (await Promise.all(boundaries)) as [Boundary, Boundary];
  await awaitNonePending(target, SILENCE_MS);
  const use = await fetchChainUse(client, contract, { from: began.block, to: ended.block });
  const mainThreadMs = ended.mainThreadMs - began.mainThreadMs;
  return { title: load.title, ...result, mainThreadMs, failed: (await countEvents(target, 'FAILED')) - failed, use };
};

const measureServer = async (
  dataDir: string,
  ledger: DeployedLedger,
  options: NetworkBenchOptions,
): Promise<{ rows: LoadFigures[]; assets: readonly string[] }> => {
  const nodeArguments = options.cpuProf ? ['--cpu-prof', `--cpu-prof-dir=${tmpdir()}`] : [];
  let server: ServerProcess | undefined;
  try {
    server = await startServerProcess(dataDir, nodeArguments, { ...SETTINGS, CHAIN_RPC_URL: options.rpc });
    const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', {
      tenant: FIRST_TENANT,
      role: 'root',
    });
    const url = `${server.url}/archivist`;
    const assets = await createAssets(url, token, options.assets);
    const target = { url, token, assets, pid: server.process.pid! };
    const rows: LoadFigures[] = [];
    for (const load of toLoads(options)) {
      rows.push(await measureLoad(ledger, target, load, options.seconds));
      console.error(toNetworkTable(rows.slice(-1), undefined));
    }
    return { rows, assets };
  } finally {
    await server?.stop('SIGTERM');
  }
};

const toMeanRecords = ({ records, transactions }: ChainUse): number =>
  Math.max(1, Math.round(records / Math.max(1, transactions)));

// With as many records in each transaction as the server had at its best rate.
const measureBare = async (
  dataDir: string,
  ledger: DeployedLedger,
  { rows, assets }: { rows: readonly LoadFigures[]; assets: readonly string[] },
  { seconds, inFlight }: NetworkBenchOptions,
): Promise<BareResult> => {
  const best = rows.toSorted((a, b) => toEventsPerSecond(b) - toEventsPerSecond(a))[0]!;
  return runBareLoop({
    client: ledger.client,
    signers: await openSigners(dataDir, ledger, assets),
    recordsPerTransaction: toMeanRecords(best.use),
    seconds,
    inFlightMax: inFlight,
    onStep: progress,
  }).finally(progress.end);
};

const toReport = (
  table: string,
  { node, chainId }: DeployedLedger,
  { assets, seconds, inFlight }: NetworkBenchOptions,
): string => `Written by \`npm run bench -- --rpc URL\`. Node: ${node}, chain ${chainId}. Events go to ${assets} assets in turn.
Latencies reach to \`CONFIRMED\`, those of an open loop begin when the event was due. ${seconds} s are measured after ${WARM_UP_MS / 1000} s of warm-up. The bare loop sends
transactions of as many of the same events, signed before, with at most ${inFlight} that aren't mined; the server has stopped
then. Node, server and load generator share the machine where the node is local.

Machine: ${describeMachine()}.

${table}
`;

const writeReport = async (heading: string, report: string): Promise<void> =>
  writeFile(REPORT, replaceSection(await readFile(REPORT, 'utf8'), heading, report));

/**
 * Deploys a ledger on the network, measures each load and the bare loop, and returns the table; records it where
 * wanted.
 * @throws Error when an event is refused with another reason than a full server, or stays PENDING
 */
export const runNetworkBench = async (options: NetworkBenchOptions): Promise<string> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'provenance-bench-'));
  const { rpc, fundingKeyFile } = options;
  // The bare loop takes about as long as a load.
  const seconds = (toLoads(options).length + 2) * (options.seconds + WARM_UP_MS / 1000);
  try {
    const ledger = await deployForBench({ dataDir, rpc, seconds, fundingKeyFile });
    const measured = await measureServer(dataDir, ledger, options);
    const table = toNetworkTable(measured.rows, await measureBare(dataDir, ledger, measured, options));
    if (options.record) await writeReport(options.title ?? ledger.node, toReport(table, ledger, options));
    return table;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};
