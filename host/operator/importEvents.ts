// Imports a file into a tenant of the running server of this data directory, or of any server.
import { type ImportCounts, importFile } from '../import/importFile.ts';
import { readConfig } from '../settings/config.ts';
import { findServer } from './controlClient.ts';
import { runOperatorCommand } from './runOperatorCommand.ts';

/** Where to import to. */
export interface ImportOptions {
  /** Name of the tenant, for the server of this data directory. */
  readonly tenant: string;
  /** Base URL of another server; undefined: the running server of this data directory. */
  readonly url?: string;
  /** A token with the right to write, for the other server. */
  readonly token?: string;
}

const FAILURES_SHOWN_MAX = 100;
const PROGRESS_EVENTS = 10_000;

const toTarget = async ({ tenant, url, token }: ImportOptions) => {
  if (url !== undefined) {
    if (token === undefined) throw new Error('--url needs --token');
    return { url: url.replace(/\/$/, ''), readToken: async () => token };
  }
  const { dataDir } = readConfig();
  const readToken = async (): Promise<string> =>
    (await runOperatorCommand<{ token: string }>(dataDir, 'token', { tenant, role: 'writer' })).token;
  return { url: (await findServer(dataDir)).url, readToken };
};

const toSummary = ({ assets, events, failed }: ImportCounts): string =>
  `${assets} assets and ${events} events are imported, ${failed} lines are not`;

/**
 * Imports a file, and prints each line that is refused, at most 100 of them, and a summary on standard error. Resolves
 * with the exit code: 1 when a line was not imported.
 */
export const importEventsForOperator = async (path: string, options: ImportOptions): Promise<number> => {
  let shown = 0;
  let printedEvents = 0;
  const counts = await importFile(path, await toTarget(options), {
    onFailure: (line, reason) => {
      shown += 1;
      if (shown <= FAILURES_SHOWN_MAX) console.error(`line ${line}: ${reason}`);
    },
    onProgress: ({ events }) => {
      if (events < printedEvents + PROGRESS_EVENTS) return;
      printedEvents = events;
      console.error(`${events} events`);
    },
  });
  console.error(toSummary(counts));
  return counts.failed === 0 ? 0 : 1;
};
