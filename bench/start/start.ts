// npm run bench:start: measures what a start of the server costs on a large ledger: when it answers reads and writes,
// and when the embedded chain is replayed, after a stop and after a kill while events were written.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import { LEDGER_LIMITS } from '../../host/settings/installationLimits.ts';
import { FIRST_TENANT } from '../../host/tenants.ts';
import { growLedger } from '../growth/growLedger.ts';
import { describeMachine } from '../machine.ts';
import { replaceSection } from '../page.ts';
import { createBenchTenant } from '../reads/readsLedger.ts';
import { measureStart, START_SETTINGS, type StartClient, send, toEventBody, writeConfirmed } from './measureStart.ts';
import { ACCEPTANCE_MS, type Start, toStartTable } from './startTable.ts';

const REPORT = fileURLToPath(new URL('../../docs/measurements/start.md', import.meta.url));
const WRITERS = 32;
const LOAD_MS = 3_000;
const WAIT_SECONDS = LEDGER_LIMITS.commitWaitMs / 1_000;

const fill = async (dataDir: string, events: number): Promise<void> => {
  if (existsSync(dataPaths(dataDir).chain)) return;
  await growLedger({ dataDir, from: 0, to: events, total: events });
};

// The first event of a generated ledger creates its first asset.
const toClient = (token: string, events: number): StartClient => {
  const { assetUuidOf, eventUuidOf } = createBenchTenant(1, events);
  const asset = `assets/${assetUuidOf(0)}`;
  return { token, asset, event: `${asset}/events/${eventUuidOf(0)}` };
};

// A start that isn't measured issues the token.
const prepare = async (dataDir: string, events: number): Promise<StartClient> => {
  const server = await startServerProcess(dataDir, [], START_SETTINGS);
  try {
    const input = { tenant: FIRST_TENANT, role: 'root' };
    const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', input);
    return toClient(token, events);
  } finally {
    await server.stop('SIGTERM');
  }
};

// Writes until the server is gone. Resolves with the number of events that were answered.
const writeUntilKilled = async (url: string, { token, asset }: StartClient, isKilled: () => boolean) => {
  let answered = 0;
  const write = async (): Promise<void> => {
    while (!isKilled()) {
      const response = await send(url, token, `${asset}/events`, toEventBody(answered));
      if (!response.ok) throw new Error(`a write is answered ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
      answered += 1;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: WRITERS }, write));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined && !isKilled()) throw failed.reason;
  return answered;
};

const measureAfterStop = async (dataDir: string, client: StartClient): Promise<Start> => {
  const { server, figures } = await measureStart(dataDir, client);
  await server.stop('SIGTERM');
  return { title: 'after a stop', figures };
};

const measureAfterKill = async (dataDir: string, client: StartClient): Promise<Start> => {
  const server = await startServerProcess(dataDir, [], START_SETTINGS);
  await writeConfirmed(server.url, client);
  let isKilled = false;
  const writing = writeUntilKilled(server.url, client, () => isKilled);
  await Promise.race([writing, setTimeout(LOAD_MS)]);
  isKilled = true;
  await server.stop('SIGKILL');
  console.error(`killed after ${await writing} answered writes`);
  const again = await measureStart(dataDir, client);
  await again.server.stop('SIGTERM');
  return { title: 'after SIGKILL under load', figures: again.figures };
};

const toReport = (
  events: number,
  starts: readonly Start[],
): string => `Machine: ${describeMachine()}. Load average at the
end: ${loadavg()[0]!.toFixed(1)}; elapsed times include what other processes used, CPU times hardly do.

A ledger of ${events.toLocaleString('en')} events, written in the largest batches. Times are since the process was started. The first
read is of an event from before the start, with a token. The first write is sent when that read is answered; its answer
waits for the block of its record for at most ${WAIT_SECONDS} s, and is PENDING then. It was accepted at once if that answer comes at
most ${ACCEPTANCE_MS / 1_000} s after this wait. The kill is while ${WRITERS} clients write: the index then lacks the last blocks, mostly
one, which it gets from their logs in \`recent-blocks/\`.

${toStartTable(events, starts)}
`;

const record = async (report: string): Promise<void> =>
  writeFile(REPORT, replaceSection(await readFile(REPORT, 'utf8'), 'First answers and replay', report));

const run = async (options: { events: string; directory?: string; record: boolean }): Promise<void> => {
  const events = Number(options.events);
  const temporary = await mkdtemp(join(tmpdir(), 'provenance-start-'));
  const dataDir = options.directory === undefined ? join(temporary, 'data') : resolve(options.directory);
  try {
    await fill(dataDir, events);
    const client = await prepare(dataDir, events);
    const starts = [await measureAfterStop(dataDir, client), await measureAfterKill(dataDir, client)];
    console.log(toStartTable(events, starts));
    if (options.record) await record(toReport(events, starts));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
};

await new Command('bench:start')
  .description('Measures when a server on a large ledger answers reads and writes after its start (Linux only)')
  .option('--events <n>', 'events of the ledger', '100000')
  .option('--directory <path>', 'data directory that is filled once and kept; it must have as many events')
  .option('--record', 'write the table to docs/measurements/start.md', false)
  .action(run)
  .parseAsync();
