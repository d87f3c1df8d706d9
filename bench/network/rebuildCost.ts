// npm run bench:rebuild -- --rpc URL: measures what a rebuild of an index costs on a network, with and without the
// proof that each record is its author's, side by side.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { createRpcChain, type RpcChain } from '../../chain/network/rpcChain.ts';
import { startDecodingThread } from '../../host/indexing/decodingThread.ts';
import { startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { createProgress } from '../../host/operator/progress.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import { FIRST_TENANT } from '../../host/tenants.ts';
import { reportProblem } from '../../host/watching/reports.ts';
import { createFollower } from '../../indexer/follower.ts';
import { createIndexStore } from '../../indexer/store.ts';
import { toDomainSeparator } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { createAssets } from '../load/createAssets.ts';
import { describeMachine } from '../machine.ts';
import { replaceSection } from '../page.ts';
import { quantile } from '../quantile.ts';
import { runBareLoop } from './bareLoop.ts';
import { type DeployedLedger, deployForBench, openSigners } from './openNetworkLedger.ts';
import type { Signers } from './signedBatches.ts';

const REPORT = fileURLToPath(new URL('../../docs/measurements/network.md', import.meta.url));
const HEADING = 'A rebuild with the proof of authors';
const PAGE_BLOCKS = 64;
const ASSETS = 50;
const IN_FLIGHT = 64;
const TIMES = { timeoutMs: 60_000, pollMs: 60_000 };

interface Cost {
  readonly elapsedMs: number;
  readonly cpuMs: number;
}

interface Costs {
  readonly records: number;
  readonly recordsPerTransaction: number;
  readonly without: readonly Cost[];
  readonly with: readonly Cost[];
}

const progress = createProgress();

const createBenchAssets = async (dataDir: string, rpc: string): Promise<readonly string[]> => {
  const settings = { RATE_LIMIT_PER_SECOND: '100000', LOG_LEVEL: 'warn', CHAIN_RPC_URL: rpc };
  const server = await startServerProcess(dataDir, [], settings);
  try {
    const input = { tenant: FIRST_TENANT, role: 'root' };
    const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', input);
    return await createAssets(`${server.url}/archivist`, token, ASSETS);
  } finally {
    await server.stop('SIGTERM');
  }
};

// The index of the blocks from `deploymentBlock` on, in an empty directory.
const rebuild = async (
  chain: RpcChain,
  contract: Hex,
  deploymentBlock: number,
  authors: ReadonlySet<Hex> | undefined,
): Promise<Cost & { readonly records: number }> => {
  const directory = await mkdtemp(join(tmpdir(), 'provenance-rebuild-'));
  const store = await createIndexStore(directory);
  try {
    let records = 0;
    const follower = await createFollower({
      chain,
      store,
      contract,
      deploymentBlock,
      readAuthors: authors && (() => authors),
      domain: toDomainSeparator({ chainId: chain.chainId, contract: fromHex(contract) }),
      pageBlocks: PAGE_BLOCKS,
      startDecoder: startDecodingThread,
      onProgress: (_block, _head, projected) => {
        records = projected;
      },
      onWipe: () => undefined,
    });
    const [beganMs, began] = [performance.now(), process.cpuUsage()];
    await follower.catchUp();
    const { user, system } = process.cpuUsage(began);
    return { elapsedMs: performance.now() - beganMs, cpuMs: (user + system) / 1_000, records };
  } finally {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  }
};

// Each repetition connects again, so that no header is known.
const measure = async (
  rpc: string,
  { contract, author }: Signers,
  recordsPerTransaction: number,
  { deploymentBlock, times }: { readonly deploymentBlock: number; readonly times: number },
): Promise<Costs> => {
  const costs = { without: [] as Cost[], with: [] as Cost[] };
  const authors: ReadonlySet<Hex> = new Set([author.address]);
  let records = 0;
  for (let at = 0; at < 2 * (times + 1); at += 1) {
    const isWith = at % 2 === 1;
    const options = { urls: rpc.split(','), confirmations: 1, agreeing: 1, ...TIMES };
    const chain = await createRpcChain({ ...options, now: Date.now, onProblem: reportProblem });
    try {
      const cost = await rebuild(chain, contract, deploymentBlock, isWith ? authors : undefined);
      records = cost.records;
      // The first of each kind warms up.
      if (at >= 2) (isWith ? costs.with : costs.without).push(cost);
    } finally {
      await chain.close();
    }
    progress({ title: 'rebuilding', unit: 'times', done: at + 1, total: 2 * (times + 1) });
  }
  progress.end();
  return { records, recordsPerTransaction, ...costs };
};

const median = (costs: readonly Cost[], pick: (cost: Cost) => number): number =>
  quantile(
    costs.map(pick).toSorted((a, b) => a - b),
    0.5,
  );

const toRow = ({ records, recordsPerTransaction, ...costs }: Costs): string => {
  const perRecord = (of: 'with' | 'without', pick: (cost: Cost) => number): number =>
    (median(costs[of], pick) * 1_000) / records;
  const cells = [({ elapsedMs }: Cost) => elapsedMs, ({ cpuMs }: Cost) => cpuMs].flatMap((pick) => {
    const [without, proving] = [perRecord('without', pick), perRecord('with', pick)];
    return [without.toFixed(0), proving.toFixed(0), (proving / without).toFixed(2)];
  });
  return `| ${recordsPerTransaction} | ${records} | ${cells.join(' | ')} |`;
};

const toTable = (rows: readonly Costs[]): string =>
  [
    '| records a transaction | records | without, µs a record | with | ratio | CPU without, µs a record | CPU with | ratio |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows.map(toRow),
  ].join('\n');

const toReport = (
  table: string,
  { node }: DeployedLedger,
  times: number,
): string => `Written by \`npm run bench:rebuild -- --rpc URL\`. Node: ${node}, on the same machine. The index of one tenant is built
from the chain, ${times} times without and ${times} times with the proof that each record is its author's, in turn; medians. All records
are of an account of this server, the most that has to be proven. CPU is that of this process, all threads.

Machine: ${describeMachine()}. Load average at the end: ${loadavg()[0]!.toFixed(1)}; elapsed times
include what other processes used, CPU times hardly do.

${table}
`;

interface Options {
  readonly rpc: string;
  readonly records: string;
  readonly seconds: string;
  readonly times: string;
  readonly record: boolean;
}

const run = async ({ rpc, records, seconds, times, record }: Options): Promise<void> => {
  const rows: Costs[] = [];
  let ledger: DeployedLedger | undefined;
  for (const recordsPerTransaction of records.split(',').map(Number)) {
    const dataDir = await mkdtemp(join(tmpdir(), 'provenance-bench-'));
    try {
      ledger = await deployForBench({ dataDir, rpc, seconds: Number(seconds), fundingKeyFile: undefined });
      const deploymentBlock = Number(await ledger.client.request('eth_blockNumber', []));
      const assets = await createBenchAssets(dataDir, rpc);
      const signers = await openSigners(dataDir, ledger, assets);
      const order = { client: ledger.client, signers, recordsPerTransaction, inFlightMax: IN_FLIGHT };
      await runBareLoop({ ...order, seconds: Number(seconds), onStep: progress }).finally(progress.end);
      rows.push(await measure(rpc, signers, recordsPerTransaction, { deploymentBlock, times: Number(times) }));
      console.error(toTable(rows.slice(-1)));
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  const table = toTable(rows);
  console.log(table);
  if (!record) return;
  const page = await readFile(REPORT, 'utf8');
  await writeFile(REPORT, replaceSection(page, HEADING, toReport(table, ledger!, Number(times))));
};

await new Command('bench:rebuild')
  .description('Measures what the proof of authors adds to a rebuild of an index on a network')
  .requiredOption('--rpc <urls>', 'nodes of a development network, with commas between')
  .option('--records <list>', 'records of each transaction', '1,90')
  .option('--seconds <n>', 'how long each ledger is written to', '10')
  .option('--times <n>', 'measured rebuilds of each kind', '5')
  .option('--record', 'write the table to docs/measurements/network.md', false)
  .action(run)
  .parseAsync();
