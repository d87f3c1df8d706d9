// Writes all committed events of a tenant as lines of JSON, or with all else that an import reads: from the running
// server, or from its data directory.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { console } from '../commandProcess.ts';
import { readConfig } from '../settings/config.ts';
import { toTenantChoice } from '../tenancy/chosenTenant.ts';
import { type EventExport, type ExportSource, openExportSource, suggest } from './exportSource.ts';
import { createExportDirectory, exportTenant } from './exportTenant.ts';
import { writeJson } from './jsonOutput.ts';
import { createProgress } from './progress.ts';

/** What to export. */
export interface ExportOptions {
  /** Name of the tenant; undefined: the first one, else the only one. */
  readonly tenant?: string;
  /** Path of a new file; undefined: standard output. */
  readonly out?: string;
  /** Path of a new directory: also locations, policies and attached files. */
  readonly all?: string;
}

const NEWLINE_BYTE = 0x0a;

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

const writeTenant = async (source: ExportSource, directory: string): Promise<number> => {
  await createExportDirectory(directory);
  const remedy = `Delete ${directory} and run the export again`;
  const missing = await exportTenant(source, directory, copy).catch(suggest(remedy));
  if (missing.length === 0) return 0;
  console.error(`the bytes of ${missing.length} files are missing, such as those of ${missing[0]}`);
  return 1;
};

/**
 * Writes the committed events of a tenant, oldest first, one on each line; with `all` a directory that an import reads.
 * Resolves with the exit code: 1 when files that records name are missing.
 * @throws Error when there is no ledger or no such tenant, the file or directory exists, or the export was cut off.
 */
export const exportEventsForOperator = async ({ tenant, out, all }: ExportOptions): Promise<number> => {
  const { dataDir } = readConfig();
  const source = await openExportSource(dataDir, toTenantChoice(tenant));
  try {
    if (all !== undefined) return await writeTenant(source, all);
    await write(await source.openEvents(), out);
    return 0;
  } finally {
    await source.close();
  }
};
