// Writes all committed events of a tenant as lines of JSON: from the running server, or from its data directory.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LedgerError } from '../../ledger/errors.ts';
import { console } from '../commandProcess.ts';
import { toConnectionFailure } from '../connectionFailure.ts';
import type { Ledger } from '../openLedger.ts';
import { readConfig } from '../settings/config.ts';
import { type ServerInfo, sendCommand } from './controlClient.ts';
import { writeJson } from './jsonOutput.ts';
import { assertLedger, openLedgerForOperator } from './ledgerForOperator.ts';
import { createProgress } from './progress.ts';
import { runOperatorCommand } from './runOperatorCommand.ts';

/** What to export. */
export interface ExportOptions {
  /** Name of the tenant. */
  readonly tenant: string;
  /** Path of a new file; undefined: standard output. */
  readonly out?: string;
}

/** An export that begins: its number of lines, and their bytes. */
interface EventExport {
  readonly total: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

const PAGE_EVENTS = 1_000;
const NEWLINE = Buffer.from('\n');
const NEWLINE_BYTE = 0x0a;

async function* readPages({ view }: Ledger, tenantIdentity: string, to: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < to; ) {
    const page = await view.readSpanPage(tenantIdentity, undefined, { from, to }, PAGE_EVENTS);
    from = page.from;
    yield Buffer.concat(page.events.flatMap((event) => [event, NEWLINE]));
  }
}

const openFromLedger = async (ledger: Ledger, tenant: string): Promise<EventExport> => {
  const tenantIdentity = await ledger.view.readTenantIdentity(tenant);
  if (tenantIdentity === undefined)
    throw new LedgerError('TENANT_NOT_FOUND', { message: `no tenant is named ${JSON.stringify(tenant)}` });
  const { to, count } = (await ledger.view.readEventSpan(tenantIdentity, undefined, undefined))!;
  return { total: count, chunks: readPages(ledger, tenantIdentity, to) };
};

const failConnection = (cause: unknown): never => {
  throw new Error(toConnectionFailure(cause), { cause });
};

const suggest =
  (remedy: string) =>
  (cause: Error): never => {
    throw new Error(`${cause.message}. ${remedy}`, { cause });
  };

async function* readBody(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    failConnection(error);
  }
}

const openFromServer = async ({ url }: ServerInfo, dataDir: string, tenant: string): Promise<EventExport> => {
  const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', { tenant, role: 'reader' });
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/svc/v2/events:export`, { headers })
    .catch(failConnection)
    .catch(suggest('Run the export again'));
  if (!response.ok) throw new Error(`the server answers ${response.status}: ${await response.text()}`);
  return { total: Number(response.headers.get('x-total-count')), chunks: readBody(response.body!) };
};

const countLines = (chunk: Uint8Array): number => {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE_BYTE); at >= 0; at = chunk.indexOf(NEWLINE_BYTE, at + 1)) count += 1;
  return count;
};

const openFile = async (out: string): Promise<Writable> => {
  const file = createWriteStream(out, { flags: 'wx', mode: 0o600 });
  await once(file, 'open');
  return file;
};

type Write = (chunks: AsyncIterable<Uint8Array>) => Promise<void>;

const openOutput = async (out: string | undefined): Promise<Write> => {
  if (out === undefined) return writeJson;
  const file = await openFile(out);
  return (chunks) => pipeline(Readable.from(chunks), file);
};

// A response that ends early is an error of the connection, or has fewer lines than it began with.
const copy = async ({ total, chunks }: EventExport, writeAll: Write): Promise<void> => {
  const onStep = createProgress();
  let done = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      done += countLines(chunk);
      onStep({ title: 'exporting', unit: 'events', done, total });
      yield chunk;
    }
  }
  await writeAll(counted()).finally(onStep.end);
  if (done !== total) throw new Error(`the export has ${done} of ${total} events`);
  console.error(`${total} events exported`);
};

const write = async (events: EventExport, out: string | undefined): Promise<void> => {
  const output = await openOutput(out);
  const remedy = out === undefined ? 'Run the export again' : `Delete ${out} and run the export again`;
  await copy(events, output).catch(suggest(remedy));
};

/**
 * Writes the committed events of a tenant, oldest first, one on each line.
 * @throws Error when there is no ledger or no such tenant, the file exists, or the export was cut off.
 */
export const exportEventsForOperator = async ({ tenant, out }: ExportOptions): Promise<void> => {
  const { dataDir } = readConfig();
  const server = await sendCommand<ServerInfo>(dataDir, 'info', {});
  if (server !== undefined) return write(await openFromServer(server, dataDir, tenant), out);
  assertLedger(dataDir);
  const ledger = await openLedgerForOperator(dataDir);
  try {
    await write(await openFromLedger(ledger, tenant), out);
  } finally {
    await ledger.close();
  }
};
