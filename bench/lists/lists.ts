// npm run bench:lists: how long lists and counts take over HTTP while events are written. Writes its page in
// docs/measurements/.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { createProgress } from '../../host/operator/progress.ts';
import { quantile } from '../quantile.ts';
import { fillIndex } from '../reads/fill.ts';
import { createBenchTenant } from '../reads/readsLedger.ts';
import type { ListOrder, ListResult } from './listLoad.ts';
import { createListQueries, type ListQuery } from './listQueries.ts';
import type { ServerOrder, ServerReady, ServerUsage } from './listServer.ts';
import { type ListRow, toListReport, toListTable } from './report.ts';

const PAGE_SIZES = [20, 100];
const WARM_UP_MS = 1_000;
/** Requests with values of their own; then the same ones follow again. */
const PATHS = 5_000;
const REPORT = fileURLToPath(new URL('../../docs/measurements/lists.md', import.meta.url));
const SERVER_ARGUMENTS = ['--max-semi-space-size=64'];

interface Options {
  readonly events: string;
  readonly clients: string;
  readonly seconds: string;
  readonly writes: string;
  readonly threads: string;
  readonly match: string;
  readonly index?: string;
  readonly print: boolean;
}

const startChild = (program: string, execArgv: readonly string[] = []): ChildProcess =>
  fork(fileURLToPath(new URL(program, import.meta.url)), {
    stdio: 'inherit',
    execArgv: [...execArgv],
    serialization: 'advanced',
  });

const ask = async <T>(child: ChildProcess, message: object): Promise<T> => {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a process of the benchmark ended with code ${code}`);
  });
  child.send(message);
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [T];
  return answer;
};

interface Target {
  readonly server: ChildProcess;
  readonly load: ChildProcess;
  readonly ready: ServerReady;
  readonly clients: number;
  readonly measureMs: number;
}

const measure = async (
  { server, load, ready, clients, measureMs }: Target,
  { title, toPath }: ListQuery,
  pageSize: number,
): Promise<ListRow> => {
  const paths = Array.from({ length: PATHS }, () => {
    const path = toPath();
    return `${path}${path.endsWith('?') ? '' : '&'}page_size=${pageSize}`;
  });
  const before = await ask<ServerUsage>(server, {});
  const order: ListOrder = { ...ready, paths, clients, warmUpMs: WARM_UP_MS, measureMs };
  const startedMs = performance.now();
  const { latenciesMs, requests, bytes } = await ask<ListResult>(load, order);
  const elapsedMs = performance.now() - startedMs;
  const after = await ask<ServerUsage>(server, {});
  const sorted = [...latenciesMs].sort((a, b) => a - b);
  return {
    title,
    pageSize,
    medianMs: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    perSecond: (sorted.length / measureMs) * 1000,
    mainCpuMs: (after.mainCpuMs - before.mainCpuMs) / requests,
    cpuMs: (after.cpuMs - before.cpuMs) / requests,
    writesPerSecond: ((after.added - before.added) / elapsedMs) * 1000,
    bytes,
  };
};

// The server writes to a copy, so that a kept index stays as it was filled.
const prepareIndex = async (kept: string, copy: string, events: number): Promise<void> => {
  await mkdir(kept, { recursive: true });
  if ((await readdir(kept)).length === 0) await fillIndex(kept, events, createProgress());
  await cp(kept, copy, { recursive: true });
};

const measureAll = async (target: Target, queries: readonly ListQuery[]): Promise<ListRow[]> => {
  const onStep = createProgress();
  const rows: ListRow[] = [];
  for (const [at, query] of queries.entries()) {
    for (const pageSize of query.kind === 'count' ? [1] : PAGE_SIZES) rows.push(await measure(target, query, pageSize));
    onStep({ title: 'measuring', unit: 'requests', done: at + 1, total: queries.length });
  }
  return rows;
};

const run = async (options: Options): Promise<void> => {
  const events = Number(options.events);
  const root = await mkdtemp(join(tmpdir(), 'provenance-bench-'));
  const children: ChildProcess[] = [];
  const start = (...given: Parameters<typeof startChild>): ChildProcess => {
    const child = startChild(...given);
    children.push(child);
    return child;
  };
  try {
    const directory = join(root, 'index');
    await prepareIndex(options.index ?? join(root, 'filled'), directory, events);
    const [server, load] = [start('listServer.ts', SERVER_ARGUMENTS), start('listLoad.ts')];
    const order: ServerOrder = {
      directory,
      events,
      blobDirectory: join(root, 'blobs'),
      eventsPerSecond: Number(options.writes),
      readThreads: Number(options.threads),
    };
    const loads = [loadavg()[0]!];
    const ready = await ask<ServerReady>(server, order);
    const clients = Number(options.clients);
    const target = { server, load, ready, clients, measureMs: Number(options.seconds) * 1000 };
    const queries = createListQueries(createBenchTenant(1, events));
    const rows = await measureAll(
      target,
      queries.filter(({ title }) => title.includes(options.match)),
    );
    loads.push(loadavg()[0]!);
    console.log(toListTable(rows));
    if (!options.print) await writeFile(REPORT, toListReport({ rows, events, clients, loads }));
  } finally {
    for (const child of children.filter(({ exitCode, connected }) => exitCode === null && connected)) {
      child.disconnect();
      if (child.exitCode === null) await once(child, 'exit');
    }
    await rm(root, { recursive: true, force: true });
  }
};

await new Command('bench:lists')
  .description('Measures lists and counts over HTTP while events are written, and writes lists.md')
  .option('--events <n>', 'events of the ledger', '1000000')
  .option('--clients <n>', 'clients in a closed loop', '32')
  .option('--seconds <n>', 'measured time of each request', '3')
  .option('--writes <n>', 'events that are written each second', '200')
  .option('--threads <n>', 'threads that read lists; 0: the main thread', '1')
  .option('--match <text>', 'only requests with this text in their titles; for --print', '')
  .option('--index <directory>', 'keep the filled index here; a directory with files has the index already')
  .option('--print', 'only print, leave the page as it is', false)
  .action(run)
  .parseAsync();
