// Imports a file into a tenant of the running server of this data directory, or of any server.
import { setTimeout } from 'node:timers/promises';
import { console } from '../commandProcess.ts';
import { createCauses } from '../import/causes.ts';
import { type ImportCounts, importFile } from '../import/importFile.ts';
import type { ImportRole, ImportTarget } from '../import/importRequests.ts';
import { readConfig } from '../settings/config.ts';
import { toTenantChoice } from '../tenancy/chosenTenant.ts';
import { commandServer, findServer } from './controlClient.ts';
import { readGivenToken, type TokenOptions } from './tokenOptions.ts';

/** Where to import to. The token is for another server, and has the right to write. */
export interface ImportOptions extends TokenOptions {
  /** Name of the tenant, for the server of this data directory; undefined: the first one, else the only one. */
  readonly tenant?: string;
  /** Base URL of another server; undefined: the running server of this data directory. */
  readonly url?: string;
  /** A directory with files that records attach. */
  readonly files?: string;
}

const PROGRESS_RECORDS = 10_000;

const pause = async (ms: number, reason: string): Promise<void> => {
  console.error(`${reason}; another attempt follows in ${ms / 1_000} s`);
  await setTimeout(ms);
};

const requireBaseUrl = (text: string): string => {
  const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: '' };
  if (protocol === 'http:' || protocol === 'https:') return text.replace(/\/+$/, '');
  throw new Error(`--url ${JSON.stringify(text)} is not the base URL of a server, such as https://ledger.example`);
};

const toTarget = async ({ tenant, url, ...options }: ImportOptions): Promise<ImportTarget> => {
  if (url !== undefined) {
    const baseUrl = requireBaseUrl(url);
    const token = await readGivenToken(options);
    if (token === undefined) throw new Error('--url needs --token-file');
    return { url: baseUrl, readToken: async () => token, pause };
  }
  const { dataDir } = readConfig();
  const readToken = async (role: ImportRole): Promise<string> =>
    (await commandServer<{ token: string }>(dataDir, 'token', { ...toTenantChoice(tenant), role })).token;
  const server = await findServer(dataDir);
  return { url: server.url, fetch: server.fetch, readToken, pause };
};

const toSummary = ({ assets, events, locations, policies, failed }: ImportCounts): string =>
  `${assets} assets, ${events} events, ${locations} locations and ${policies} policies are imported, or were before; ${failed} lines are not`;

const LEFT = 'locations or files that records name are neither in the source nor here: their identities stay as texts';

const JUDGED =
  'Policies judge these events by the time of this import, unless they have judged_by "declared" (docs/compliance.md)';

/**
 * Imports a file, or the directory of an export, and prints one line for each cause of refusals and a summary on
 * standard error. Resolves with the exit code: 1 when a line was not imported.
 */
export const importEventsForOperator = async (path: string, options: ImportOptions): Promise<number> => {
  let printed = 0;
  const causes = createCauses();
  const reports = {
    onFailure: causes.add,
    onProgress: ({ assets, events }: ImportCounts): void => {
      if (assets + events < printed + PROGRESS_RECORDS) return;
      printed = assets + events;
      console.error(`${assets} assets and ${events} events`);
    },
  };
  try {
    const counts = await importFile({ path, files: options.files }, await toTarget(options), reports);
    console.error(...causes.toLines());
    if (counts.left > 0) console.error(`${counts.left} ${LEFT}`);
    console.error(toSummary(counts));
    if (counts.events > 0) console.error(JUDGED);
    return counts.failed === 0 ? 0 : 1;
  } catch (error) {
    console.error(...causes.toLines());
    throw error;
  }
};
