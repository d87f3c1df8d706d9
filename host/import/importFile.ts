// Imports the events and assets of a file into a tenant of a running server. A repeated import adds nothing: each asset
// and each event has an idempotency key from its identity in the source.
import { createImportedAssets } from './importedAssets.ts';
import {
  CHAIN_REFUSED,
  createImportRequests,
  type ImportLine,
  type ImportResult,
  type ImportTarget,
} from './importRequests.ts';
import type { SourceRecord } from './sourceItem.ts';
import { openSource, type Source } from './sourceItems.ts';
import { toImportedEvent } from './toImported.ts';

/** What an import has done so far. */
export interface ImportCounts {
  readonly assets: number;
  readonly events: number;
  readonly failed: number;
}

/** Reports of an import in progress. */
export interface ImportReports {
  /** A line of the file that was not imported. */
  readonly onFailure: (line: number, reason: string) => void;
  readonly onProgress: (counts: ImportCounts) => void;
}

/**
 * Bounds of one request. It is sent as a whole, because a server ends a request that is slow or silent, and reading the
 * file may take any time.
 */
const REQUEST_LINES = 10_000;
const REQUEST_CHARACTERS = 8 * 2 ** 20;

async function* toRequests(lines: AsyncIterable<ImportLine>): AsyncGenerator<readonly ImportLine[]> {
  let request: ImportLine[] = [];
  let characters = 0;
  for await (const line of lines) {
    request.push(line);
    characters += line.text.length;
    if (request.length < REQUEST_LINES && characters < REQUEST_CHARACTERS) continue;
    yield request;
    request = [];
    characters = 0;
  }
  if (request.length > 0) yield request;
}

type Fail = (line: number, reason: string) => void;
type Assets = ReturnType<typeof createImportedAssets>;

async function* toLines(source: Source, assets: Assets, fail: Fail): AsyncGenerator<ImportLine> {
  for await (const item of source.readItems()) {
    if (item.kind !== 'event') continue;
    const { line, identity, assetIdentity, value } = item as SourceRecord;
    const asset = await assets.find(assetIdentity);
    if (asset === undefined) fail(line, `${identity}: its asset was not imported, or several times`);
    else yield { line, text: JSON.stringify(toImportedEvent(identity, value, asset)) };
  }
}

/**
 * Imports a file. Resolves with what was imported, and the number of lines that were not.
 * Rejects when the file can't be read, or the server refuses the import or doesn't answer: then it can be repeated.
 */
export const importFile = async (
  path: string,
  target: ImportTarget,
  { onFailure, onProgress }: ImportReports,
): Promise<ImportCounts> => {
  const source = await openSource(path);
  const counts = { assets: 0, events: 0, failed: 0 };
  const fail: Fail = (line, reason) => {
    counts.failed += 1;
    onFailure(line, reason);
  };
  const onCreated = (): void => {
    counts.assets += 1;
    onProgress(counts);
  };
  const onResult = (line: number, { status, confirmation_status: state, error }: ImportResult): void => {
    if (state === 'FAILED') fail(line, CHAIN_REFUSED);
    else if (status === 200) counts.events += 1;
    else fail(line, `${status} ${error?.message ?? ''}`);
    onProgress(counts);
  };
  const requests = createImportRequests(target, REQUEST_LINES);
  const assets = createImportedAssets(requests, { fail, onCreated });
  await assets.create(source);
  for await (const lines of toRequests(toLines(source, assets, fail))) await requests.recordEvents(lines, onResult);
  return counts;
};
