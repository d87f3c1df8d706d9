// npm run bench:reads: how fast the index is rebuilt, how large it is, and how long reads of it take, for ledgers of
// several sizes side by side. Writes docs/measurements/reads.md.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { createProgress } from '../../host/operator/progress.ts';
import { createLedgerView } from '../../indexer/reads/createLedgerView.ts';
import { toUncommittedRecords } from '../../indexer/reads/uncommitted.ts';
import { createIndexStore, type IndexStore } from '../../indexer/store.ts';
import { type BenchQuery, createQueries } from './benchQueries.ts';
import { type FilledIndex, fillIndex } from './fill.ts';
import { measure } from './measure.ts';
import { type QueryRow, toQueryTable, toRebuildTable, toReport, toWorkTable } from './report.ts';

const CLIENTS = [1, 32];
const EVENTS_MIN = 1_000;
/** Size of an index that is filled first and discarded, so that the code is compiled before the first measurement. */
const WARM_UP_EVENTS = 10_000;
const REPORT = fileURLToPath(new URL('../../docs/measurements/reads.md', import.meta.url));
const NO_OUTBOX = toUncommittedRecords([]);

const parseSizes = (text: string): number[] => {
  const sizes = text.split(',').map(Number);
  if (sizes.every((size) => Number.isSafeInteger(size) && size >= EVENTS_MIN)) return sizes;
  throw new InvalidArgumentError(`whole numbers from ${EVENTS_MIN} on, with commas between them`);
};

const onStep = createProgress();

const fillAll = async (
  root: string,
  sizes: readonly number[],
): Promise<{ directory: string; index: FilledIndex }[]> => {
  const filled = [];
  for (const [at, events] of [WARM_UP_EVENTS, ...sizes].entries()) {
    const directory = join(root, String(at));
    await mkdir(directory);
    filled.push({ directory, index: await fillIndex(directory, events, onStep) });
  }
  return filled.slice(1);
};

const measureQuery = async (queries: readonly BenchQuery[], clients: number): Promise<QueryRow> => {
  const answers: number[] = [];
  const measured = [];
  for (const { send } of queries) {
    measured.push(await measure(send, clients));
    answers.push(await send());
  }
  return { query: queries[0]!, clients, answers, measured };
};

// Runs each query on all sizes before the next query, so that other load on the machine affects all sizes alike.
const measureAll = async (stores: readonly { store: IndexStore; index: FilledIndex }[]): Promise<QueryRow[]> => {
  const opened = stores.map(({ store, index }) =>
    createQueries(createLedgerView({ store, outbox: NO_OUTBOX }), index.tenant),
  );
  const rows: QueryRow[] = [];
  const total = opened[0]!.length;
  for (const at of opened[0]!.keys()) {
    const queries: BenchQuery[] = [];
    for (const list of opened) queries.push(await list[at]!());
    for (const clients of CLIENTS) rows.push(await measureQuery(queries, clients));
    onStep({ title: 'measuring', unit: 'requests', done: at + 1, total });
  }
  return rows;
};

const toTables = (
  filled: readonly { index: FilledIndex }[],
  rows: readonly QueryRow[],
  sizes: readonly number[],
): string => {
  const rowsOf = (clients: number) => rows.filter((row) => row.clients === clients);
  return [
    `## Rebuild\n\n${toRebuildTable(filled.map(({ index }) => index))}`,
    ...CLIENTS.map((clients) => `## Clients: ${clients}\n\n${toQueryTable(rowsOf(clients), sizes)}`),
    `## Work of one request\n\n${toWorkTable(rowsOf(1), sizes)}`,
  ].join('\n\n');
};

const run = async (options: { events: number[]; print: boolean }): Promise<void> => {
  await using opened = new AsyncDisposableStack();
  const root = await mkdtemp(join(tmpdir(), 'provenance-bench-'));
  opened.defer(() => rm(root, { recursive: true, force: true }));
  const loads = [loadavg()[0]!];
  const filled = await fillAll(root, options.events);
  loads.push(loadavg()[0]!);
  const stores: { store: IndexStore; index: FilledIndex }[] = [];
  for (const { directory, index } of filled) {
    stores.push({ store: opened.adopt(await createIndexStore(directory), (store) => store.close()), index });
  }
  const rows = await measureAll(stores);
  loads.push(loadavg()[0]!);
  const tables = toTables(filled, rows, options.events);
  console.log(tables);
  if (!options.print) await writeFile(REPORT, toReport(tables, loads));
};

await new Command('bench:reads')
  .description('Measures how fast the index is rebuilt and read, and writes docs/measurements/reads.md')
  .option('--events <n,n,n>', 'sizes of the ledgers', parseSizes, [10_000, 100_000, 1_000_000])
  .option('--print', 'only print, leave docs/measurements/reads.md as it is', false)
  .action(run)
  .parseAsync();
