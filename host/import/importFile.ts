// Imports the records of a file into a tenant of a running server. A repeated import adds nothing: each record has an
// idempotency key from its identity in the source.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createImportedAssets } from './importedAssets.ts';
import { createImportedFiles, readFilesByHash } from './importedFiles.ts';
import { createImportedLocations, createImportedPolicy } from './importedLocations.ts';
import {
  CHAIN_REFUSED,
  createImportRequests,
  type ImportLine,
  type ImportRequests,
  type ImportResult,
  type ImportTarget,
} from './importRequests.ts';
import { createRecordable, type Recordable } from './recordable.ts';
import { createReferences, type References } from './references.ts';
import { openSource, type Source } from './sourceItems.ts';
import { toImportedEvent, toImportKey } from './toImported.ts';

/** What an import has done so far. */
export interface ImportCounts {
  readonly assets: number;
  readonly events: number;
  readonly locations: number;
  readonly policies: number;
  /** What is not imported. */
  readonly failed: number;
  /** Locations and files that records name, and that are neither in the source nor here. */
  readonly left: number;
}

/** Reports of an import in progress. */
export interface ImportReports {
  /** What was not imported, and the line of the file on which it begins; 0 where it is not in the file. */
  readonly onFailure: (line: number, reason: string) => void;
  readonly onProgress: (counts: ImportCounts) => void;
}

/** What to import: a file, or a directory that an export made; and a directory with files that its records attach. */
export interface ImportSource {
  readonly path: string;
  readonly files?: string | undefined;
}

/** Names in the directory of an export. */
export const EXPORT_RECORDS = 'records.ndjson';
export const EXPORT_FILES = 'blobs';

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

const STOP_TRACKING = { behaviour: 'Builtin', operation: 'StopTracking' };

type Fail = (line: number, reason: string) => void;
type Assets = ReturnType<typeof createImportedAssets>;

interface Import {
  readonly source: Source;
  readonly requests: ImportRequests;
  readonly assets: Assets;
  readonly recordable: Recordable;
  readonly references: References;
  readonly fail: Fail;
  readonly counts: { -readonly [Name in keyof ImportCounts]: number };
  readonly onProgress: () => void;
}

async function* toLines({ source, assets, recordable, fail }: Import): AsyncGenerator<ImportLine> {
  for (const { line, identity, assetIdentity, value } of source.readItems('event')) {
    const asset = await assets.find(assetIdentity);
    if (asset === undefined) fail(line, `${identity}: its asset was not imported, or several times`);
    else
      for (const request of await recordable.toEvents(toImportedEvent(identity, value, asset), asset))
        yield { line, text: JSON.stringify(request) };
  }
  for (const identity of assets.untracked()) {
    const { identity: asset_identity } = (await assets.find(identity))!;
    const idempotency_key = `${toImportKey(identity)}:${STOP_TRACKING.operation}`;
    yield { line: 0, text: JSON.stringify({ ...STOP_TRACKING, asset_identity, idempotency_key }) };
  }
}

const recordEvents = async (running: Import): Promise<void> => {
  const { requests, counts, fail, onProgress } = running;
  const onResult = (line: number, { status, confirmation_status: state, error }: ImportResult): void => {
    if (state === 'FAILED') fail(line, CHAIN_REFUSED);
    else if (status === 200) counts.events += 1;
    else fail(line, `${status} ${error?.message ?? ''}`);
    onProgress();
  };
  for await (const lines of toRequests(toLines(running))) await requests.recordEvents(lines, onResult);
};

const createPolicies = async ({ source, requests, references, counts, fail }: Import): Promise<void> => {
  const find = (text: string): Promise<string | undefined> => references.find(text, {});
  for (const record of source.readItems('policy'))
    if (await createImportedPolicy(requests, record, { fail, find })) counts.policies += 1;
};

/** The paths of the records and of the files beside them. */
const findPaths = async ({ path, files }: ImportSource): Promise<{ records: string; files: string | undefined }> => {
  if (!(await stat(path)).isDirectory()) return { records: path, files };
  return { records: join(path, EXPORT_RECORDS), files: files ?? join(path, EXPORT_FILES) };
};

/**
 * Imports a file or a directory. Resolves with what was imported, and the number of lines that were not.
 * Rejects when it can't be read, or the server refuses the import or doesn't answer: then it can be repeated.
 */
export const importFile = async (
  what: ImportSource,
  target: ImportTarget,
  { onFailure, onProgress }: ImportReports,
): Promise<ImportCounts> => {
  const paths = await findPaths(what);
  const hashes = paths.files === undefined ? new Map<string, string>() : await readFilesByHash(paths.files);
  const counts = { assets: 0, events: 0, locations: 0, policies: 0, failed: 0, left: 0 };
  const fail: Fail = (line, reason) => {
    counts.failed += 1;
    onFailure(line, reason);
  };
  const source = await openSource(paths.records, fail);
  try {
    const requests = createImportRequests(target, REQUEST_LINES);
    const report = (): void => onProgress(counts);
    const files = createImportedFiles(requests, hashes, fail);
    const locations = createImportedLocations(requests, fail);
    const onCreated = (): void => {
      counts.assets += 1;
      report();
    };
    const assets = createImportedAssets(requests, { fail, onCreated });
    const onLeft = (): void => {
      counts.left += 1;
    };
    const references = createReferences({ ...files, ...locations, ...assets, onLeft });
    const recordable = createRecordable(references);
    for (const record of source.readItems('blob')) await files.create(record);
    for (const record of source.readItems('location'))
      if (await locations.create(record, references)) counts.locations += 1;
    await assets.create(source, recordable);
    const running = { source, requests, assets, recordable, references, fail, counts, onProgress: report };
    await recordEvents(running);
    await createPolicies(running);
    return counts;
  } finally {
    source.close();
  }
};
