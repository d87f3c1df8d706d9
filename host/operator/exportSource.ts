// Where an export reads a tenant's records: the running server of a data directory, or the directory itself.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Page, PageQuery } from '../../indexer/ledgerView.ts';
import type { LedgerErrorCode } from '../../ledger/errors.ts';
import { toUuid } from '../../ledger/identity.ts';
import type { BlobResource } from '../../ledger/records/blob.ts';
import { readSize, toContentPath } from '../../server/blobs/contentFiles.ts';
import { toConnectionFailure } from '../connectionFailure.ts';
import { dataPaths } from '../files/dataPaths.ts';
import { openUsableDirectory } from '../files/writableCopy.ts';
import { createTokenCache } from '../import/tokenCache.ts';
import type { Ledger } from '../openLedger.ts';
import { readConfig } from '../settings/config.ts';
import { chooseTenant, type TenantChoice } from '../tenancy/chosenTenant.ts';
import { findRunningServer, type RunningServer } from './controlClient.ts';
import { assertLedger, openLedgerForOperator } from './ledgerForOperator.ts';
import { runOperatorCommand } from './runOperatorCommand.ts';

/** An export that begins: its number of lines, and their bytes. */
export interface EventExport {
  readonly total: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The records of one tenant. */
export interface ExportSource {
  readonly openEvents: () => Promise<EventExport>;
  /** Pages, newest first. */
  readonly listLocations: () => AsyncIterable<readonly object[]>;
  readonly listPolicies: () => AsyncIterable<readonly object[]>;
  /** A file's description by its identity; undefined where the tenant has none of it. */
  readonly readBlob: (identity: string) => Promise<BlobResource | undefined>;
  /** The bytes of a file; undefined where they are missing. */
  readonly openContent: (blob: BlobResource) => Promise<AsyncIterable<Uint8Array> | undefined>;
  readonly close: () => Promise<void>;
}

const PAGE_EVENTS = 1_000;
const NEWLINE = Buffer.from('\n');

async function* readPages({ view }: Ledger, tenantIdentity: string, to: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < to; ) {
    const page = await view.readSpanPage(tenantIdentity, undefined, { from, to }, PAGE_EVENTS);
    from = page.from;
    yield Buffer.concat(page.events.flatMap((event) => [event, NEWLINE]));
  }
}

async function* listPages<T>(readPage: (page: PageQuery) => Promise<Page<T>>): AsyncGenerator<readonly T[]> {
  let position: string | undefined;
  do {
    const page = await readPage({ limit: PAGE_EVENTS, position, isCounted: false });
    yield page.items;
    position = page.nextPosition;
  } while (position !== undefined);
}

const EVERYTHING = { attributes: [], fields: [], order: 'newest' } as const;

const openFromLedger = async (
  ledger: Ledger,
  choice: TenantChoice,
  { dataDir, close }: { readonly dataDir: string } & Pick<ExportSource, 'close'>,
): Promise<ExportSource> => {
  const { view } = ledger;
  const { tenantIdentity } = await chooseTenant(ledger, choice);
  const contents = join(readConfig().blobsDir ?? dataPaths(dataDir).blobs, 'content');
  return {
    openEvents: async () => {
      const { to, count } = (await view.readEventSpan(tenantIdentity, undefined, undefined))!;
      return { total: count, chunks: readPages(ledger, tenantIdentity, to) };
    },
    listLocations: () => listPages((page) => view.listLocations(tenantIdentity, EVERYTHING, page)),
    listPolicies: () => listPages((page) => view.listPolicies(tenantIdentity, EVERYTHING, page)),
    readBlob: (identity) => view.readBlob(tenantIdentity, toUuid(identity)),
    openContent: async ({ hash }) => {
      const path = join(contents, toContentPath({ tenantIdentity, sha256: hash.value }));
      return (await readSize(path)) === undefined ? undefined : createReadStream(path);
    },
    close,
  };
};

const RATE_LIMITED = 429;
const SECOND_MS = 1_000;

const failConnection = (cause: unknown): never => {
  throw new Error(toConnectionFailure(cause), { cause });
};

/** What to do about an error, in its message. */
export const suggest =
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

const openFromServer = (server: RunningServer, dataDir: string, choice: TenantChoice): ExportSource => {
  const input = { ...choice, role: 'reader' };
  const token = createTokenCache(
    async () => (await runOperatorCommand<{ token: string }>(dataDir, 'token', input)).token,
  );

  const request = async (path: string): Promise<Response> => {
    for (;;) {
      const headers = { authorization: `Bearer ${await token.read()}` };
      const response = await server.fetch(`${server.url}/svc/${path}`, { headers }).catch(failConnection);
      if (response.status !== RATE_LIMITED) return response;
      await response.body?.cancel();
      await setTimeout(Number(response.headers.get('retry-after') ?? 1) * SECOND_MS);
    }
  };

  // Undefined where the answer has this error code.
  const find = async (path: string, absent?: LedgerErrorCode): Promise<Response | undefined> => {
    const response = await request(path);
    if (response.ok) return response;
    const text = await response.text();
    if (absent !== undefined && text.includes(`"${absent}"`)) return undefined;
    throw new Error(`the server answers ${response.status}: ${text}`);
  };

  // Without a page size, pages are as large as the server's limit.
  async function* list(path: string, name: string): AsyncGenerator<readonly object[]> {
    let after = '';
    do {
      const page = (await (await find(`${path}${after}`))!.json()) as Record<string, object[]> & {
        next_page_token: string;
      };
      yield page[name]!;
      after = page.next_page_token === '' ? '' : `?page_token=${encodeURIComponent(page.next_page_token)}`;
    } while (after !== '');
  }

  return {
    openEvents: async () => {
      const response = await find('v2/events:export').catch(suggest('Run the export again'));
      return { total: Number(response!.headers.get('x-total-count')), chunks: readBody(response!.body!) };
    },
    listLocations: () => list('v2/locations', 'locations'),
    listPolicies: () => list('v1/compliance_policies', 'compliance_policies'),
    readBlob: async (identity) =>
      (await (await find(`v1/blobs/${toUuid(identity)}/info`, 'BLOB_NOT_FOUND'))?.json()) as BlobResource | undefined,
    openContent: async ({ identity }) => {
      const response = await find(`v1/blobs/${toUuid(identity)}`, 'BLOB_DAMAGED');
      return response && readBody(response.body!);
    },
    close: async () => {},
  };
};

const closeAfter = async (error: unknown, close: () => Promise<void>): Promise<never> => {
  await close();
  throw error;
};

/**
 * Opens the records of a tenant of a data directory.
 * @throws Error when there is no ledger, or LedgerError TENANT_NOT_FOUND.
 */
export const openExportSource = async (dataDir: string, choice: TenantChoice): Promise<ExportSource> => {
  const server = await findRunningServer(dataDir);
  if (server !== undefined) return openFromServer(server, dataDir, choice);
  assertLedger(dataDir);
  const usable = await openUsableDirectory(dataDir);
  const ledger = await openLedgerForOperator(usable.path).catch((error: unknown) => closeAfter(error, usable.remove));
  const close = (): Promise<void> => ledger.close().finally(usable.remove);
  return openFromLedger(ledger, choice, { dataDir, close }).catch((error: unknown) => closeAfter(error, close));
};
