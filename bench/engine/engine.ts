// npm run bench:engine: what it costs that the engine of the embedded chain runs in a process of its own. Two servers
// run side by side, one of each kind, and get load in short turns, so that both see the same machine.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { runCommand } from '../../host/operator/runCommand.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import type { CHAIN_ENGINES } from '../../host/settings/chainSettings.ts';
import { FIRST_TENANT } from '../../host/tenants.ts';
import { createAssets } from '../load/createAssets.ts';
import { readProcessUsage } from '../load/processUsage.ts';
import { type LoadOrder, runLoad } from '../load/runLoad.ts';
import { describeMachine } from '../machine.ts';
import { replaceSection } from '../page.ts';
import { quantile } from '../quantile.ts';
import { toTable } from '../table.ts';

type Place = (typeof CHAIN_ENGINES)[number];

interface Options {
  readonly turns: number;
  readonly seconds: number;
  readonly clients: readonly number[];
  readonly record: boolean;
}

interface Turn {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly cpuUs: number;
}

interface Target {
  readonly place: Place;
  readonly pids: readonly number[];
  readonly order: Pick<LoadOrder, 'url' | 'token' | 'assets'>;
}

const REPORT = fileURLToPath(new URL('../../docs/measurements/engine.md', import.meta.url));
const ASSETS = 50;
const WARM_UP_MS = 500;
const SETTINGS = { LOG_LEVEL: 'warn', RATE_LIMIT_PER_SECOND: '100000' };

const readChildren = async (pid: number): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number);

const openTarget = async (place: Place, opened: AsyncDisposableStack): Promise<Target> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'provenance-bench-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startServerProcess(dataDir, [], { ...SETTINGS, CHAIN_ENGINE: place });
  opened.defer(async () => void (await server.stop('SIGTERM')));
  const input = { tenant: FIRST_TENANT, role: 'root' };
  const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', input);
  const url = `${server.url}/archivist`;
  const pid = server.process.pid!;
  const order = { url, token, assets: await createAssets(url, token, ASSETS) };
  return { place, pids: [pid, ...(await readChildren(pid))], order };
};

const readCpuMs = async (pids: readonly number[]): Promise<number> =>
  (await Promise.all(pids.map(readProcessUsage))).reduce((sum, { cpuMs }) => sum + cpuMs, 0);

const measureTurn = async ({ pids, order }: Target, clients: number, seconds: number): Promise<Turn> => {
  const samples: Promise<number>[] = [];
  const { latenciesMs, elapsedMs } = await runLoad(
    { ...order, clients, warmUpMs: WARM_UP_MS, warmUpEvents: 1, measureMs: seconds * 1_000, eventsMin: 1 },
    { onBoundary: () => samples.push(readCpuMs(pids)) },
  );
  const [began, ended] = await Promise.all(samples);
  return {
    perSecond: latenciesMs.length / (elapsedMs / 1_000),
    medianMs: quantile(
      latenciesMs.toSorted((a, b) => a - b),
      0.5,
    ),
    cpuUs: ((ended! - began!) * 1_000) / latenciesMs.length,
  };
};

const medianOf = (turns: readonly Turn[], pick: (turn: Turn) => number): number =>
  quantile(
    turns.map(pick).toSorted((a, b) => a - b),
    0.5,
  );

const toRow = (clients: number, turns: ReadonlyMap<Place, readonly Turn[]>): string[] => {
  const show = (pick: (turn: Turn) => number, digits: number): string[] => {
    const [inside, process] = [medianOf(turns.get('inside')!, pick), medianOf(turns.get('process')!, pick)];
    // Each turn beside the one of the other server next to it.
    const ratios = turns.get('process')!.map((turn, at) => pick(turn) / pick(turns.get('inside')![at]!));
    const change =
      (quantile(
        ratios.toSorted((a, b) => a - b),
        0.5,
      ) -
        1) *
      100;
    return [inside.toFixed(digits), process.toFixed(digits), `${change.toFixed(1)} %`];
  };
  return [
    String(clients),
    ...show(({ medianMs }) => medianMs, 2),
    ...show(({ perSecond }) => perSecond, 0),
    ...show(({ cpuUs }) => cpuUs, 0),
  ];
};

const HEADER = [
  'clients',
  ...['median latency, ms', 'events/s', 'CPU of all processes, µs an event'].flatMap((name) => [
    `${name}: inside`,
    'process',
    'change',
  ]),
];

const measure = async ({ turns, seconds, clients: counts }: Options): Promise<string[][]> => {
  await using opened = new AsyncDisposableStack();
  const targets: Target[] = [];
  for (const place of ['inside', 'process'] as const) targets.push(await openTarget(place, opened));
  const rows: string[][] = [];
  for (const clients of counts) {
    const measured = new Map<Place, Turn[]>([
      ['inside', []],
      ['process', []],
    ]);
    for (let turn = 0; turn < turns; turn += 1) {
      console.error(`${clients} clients, turn ${turn + 1} of ${turns}`);
      const order = turn % 2 === 0 ? targets : targets.toReversed();
      for (const target of order) measured.get(target.place)!.push(await measureTurn(target, clients, seconds));
    }
    rows.push(toRow(clients, measured));
  }
  return rows;
};

const toReport = (
  table: string,
  { turns, seconds }: Options,
): string => `Written by \`npm run bench:engine -- --record\`.
Two servers run side by side, with \`CHAIN_ENGINE=inside\` and \`process\`, and get closed loops of clients in turns of ${seconds} s
after ${WARM_UP_MS / 1_000} s of warm-up: ${turns} turns each, in alternating order. Figures are medians of the turns; a change is the median of
the ratios of turns that follow each other.

Machine: ${describeMachine()}. Load average at the end: ${loadavg()[0]!.toFixed(1)}.

${table}
`;

const run = async (options: Options): Promise<void> => {
  const table = toTable(HEADER, await measure(options));
  console.log(table);
  if (!options.record) return;
  const page = await readFile(REPORT, 'utf8');
  await writeFile(REPORT, replaceSection(page, 'Writes', toReport(table, options)));
};

const asNumbers = (text: string): number[] => text.split(',').map(Number);

await new Command('bench:engine')
  .description('Measures writes with the engine of the embedded chain in the process of the server, and in its own')
  .option('--turns <n>', 'turns of each server', Number, 16)
  .option('--seconds <n>', 'measured time of a turn', Number, 1.5)
  .option('--clients <n,n>', 'clients of each closed loop', asNumbers, [1, 16, 64])
  .option('--record', 'write the table to docs/measurements/engine.md', false)
  .action((options: Options) => runCommand('not measured', () => run(options)))
  .parseAsync();
