// npm run bench:bulk: measures how many events a second the server records from requests of many lines, and how many it
// exports, with the CPU time of its main thread for each. Writes a section of docs/measurements/writes.md.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { startServerProcess } from '../host/lifecycle/serverProcess.ts';
import { runOperatorCommand } from '../host/operator/runOperatorCommand.ts';
import { FIRST_TENANT } from '../host/tenants.ts';
import { type BulkResult, toBulkTable } from './bulkTable.ts';
import { type BulkOrder, readExport, sendBulk } from './load/bulkLines.ts';
import { createAssets } from './load/createAssets.ts';
import { readProcessUsage } from './load/processUsage.ts';
import { describeMachine } from './machine.ts';
import { replaceSection } from './page.ts';

const ASSETS = 50;
const WARM_UP_EVENTS = 5_000;
const EXPORTS = 3;
const REPORT = fileURLToPath(new URL('../docs/measurements/writes.md', import.meta.url));

const measure = async (
  pid: number,
  { title, kind }: Pick<BulkResult, 'title' | 'kind'>,
  work: () => Promise<number>,
): Promise<BulkResult> => {
  const before = await readProcessUsage(pid);
  const beganMs = performance.now();
  const events = await work();
  const seconds = (performance.now() - beganMs) / 1000;
  const { mainThreadCpuMs } = await readProcessUsage(pid);
  return { title, kind, events, seconds, mainMs: mainThreadCpuMs - before.mainThreadCpuMs };
};

const record = async (order: BulkOrder, requests: number): Promise<number> => {
  await Promise.all(Array.from({ length: requests }, () => sendBulk(order)));
  return requests * order.events;
};

const exportAll = async (order: BulkOrder): Promise<number> => {
  let events = 0;
  for (let count = 0; count < EXPORTS; count += 1) events += await readExport(order);
  return events;
};

const toReport = (
  rows: readonly BulkResult[],
): string => `Written by \`npm run bench:bulk\`. Lines of events of 8 attributes to ${ASSETS} assets in turn, after ${WARM_UP_EVENTS} events of
warm-up; each line is durable on the chain's journal before it is answered. The client, in a second process on
the same machine, reads while it sends. An export is read ${EXPORTS} times.

Machine: ${describeMachine()}.

${toBulkTable(rows)}`;

const run = async (options: { events: string; print: boolean; cpuProf: boolean }): Promise<void> => {
  const events = Number(options.events);
  const dataDir = await mkdtemp(join(tmpdir(), 'provenance-bench-'));
  const nodeArguments = options.cpuProf ? ['--cpu-prof', `--cpu-prof-dir=${tmpdir()}`] : [];
  const server = await startServerProcess(dataDir, nodeArguments, { METRICS_PORT: '0', LOG_LEVEL: 'warn' });
  try {
    const pid = server.process.pid!;
    const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', {
      tenant: FIRST_TENANT,
      role: 'root',
    });
    const url = `${server.url}/archivist`;
    const order = { url, token, assets: await createAssets(url, token, ASSETS), events };
    await sendBulk({ ...order, events: WARM_UP_EVENTS });
    const rows = [
      await measure(pid, { title: 'one request', kind: 'bulk' }, () => record(order, 1)),
      await measure(pid, { title: 'two requests at once', kind: 'bulk' }, () =>
        record({ ...order, events: Math.ceil(events / 2) }, 2),
      ),
      await measure(pid, { title: 'export', kind: 'export' }, () => exportAll(order)),
    ];
    console.log(toBulkTable(rows));
    if (!options.print)
      await writeFile(REPORT, replaceSection(await readFile(REPORT, 'utf8'), 'Many events at once', toReport(rows)));
  } finally {
    await server.stop('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
};

await new Command('bench:bulk')
  .description('Measures requests of many events, and exports; writes a section of docs/measurements/writes.md')
  .option('--events <n>', 'events of each measurement', '20000')
  .option('--print', 'only print, leave docs/measurements/writes.md as it is', false)
  .option('--cpu-prof', "write a profile of the server's main thread to the temporary directory", false)
  .action(run)
  .parseAsync();
