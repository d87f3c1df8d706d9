// Imports the events and assets of a file into a tenant of a running server. A repeated import adds nothing: each asset
// and each event has an idempotency key from its identity in the source.
import { createImportedAsset, type ImportLine, type ImportTarget, sendImportLines } from './importApi.ts';
import type { SourceItem, SourceRecord } from './sourceItem.ts';
import { openSource } from './sourceItems.ts';
import { toImportedAsset, toImportedEvent, toImportKey } from './toImported.ts';

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

/** Lines of one request, well below the server's limit. Each request has a new token. */
const REQUEST_LINES = 100_000;
/** Sent where the file has no event, because the server ends a request that is silent. */
const NOTHING: ImportLine = { line: undefined, text: '\n' };

/** The assets of the source, and those that were created for them. */
const createAssetMap = (target: ImportTarget) => {
  const created = new Map<string, string>();
  return {
    find: (identity: string): string | undefined => created.get(identity),
    create: async (identity: string, source: SourceRecord['value']): Promise<void> => {
      const body = toImportedAsset(identity, source);
      created.set(identity, await createImportedAsset(target, toImportKey(identity), body));
    },
  };
};

/**
 * Imports a file. Resolves with what was imported, and the number of lines that were not.
 * Rejects when the file can't be read, or the server refuses the import or ends it: then it can be repeated.
 */
export const importFile = async (
  path: string,
  target: ImportTarget,
  { onFailure, onProgress }: ImportReports,
): Promise<ImportCounts> => {
  const items = (await openSource(path)).readItems()[Symbol.asyncIterator]();
  const assets = createAssetMap(target);
  const counts = { assets: 0, events: 0, failed: 0 };
  const fail = (line: number, reason: string): void => {
    counts.failed += 1;
    onFailure(line, reason);
  };

  const createAsset = async (line: number, identity: string, source: SourceRecord['value']): Promise<void> => {
    if (assets.find(identity) !== undefined) return;
    try {
      await assets.create(identity, source);
      counts.assets += 1;
    } catch (error) {
      fail(line, `${identity}: ${(error as Error).message}`);
    }
  };

  const toLine = ({ line, identity, assetIdentity, value }: SourceRecord): ImportLine => {
    const imported = assets.find(assetIdentity);
    if (imported !== undefined)
      return { line, text: `${JSON.stringify(toImportedEvent(identity, value, imported))}\n` };
    fail(line, `${identity}: its asset was not imported`);
    return NOTHING;
  };

  const convert = async (item: SourceItem): Promise<ImportLine> => {
    if (item.kind === 'event') return toLine(item);
    if (item.kind === 'refusal') fail(item.line, item.reason);
    else await createAsset(item.line, item.assetIdentity, item.value);
    return NOTHING;
  };

  let isDone = false;
  async function* nextLines(): AsyncGenerator<ImportLine> {
    for (let count = 0; count < REQUEST_LINES; count += 1) {
      const { done, value } = await items.next();
      isDone = done === true;
      if (isDone) return;
      yield await convert(value as SourceItem);
    }
  }
  const onResult = (line: number, { status, error }: { status: number; error?: { message: string } }): void => {
    if (status === 200) counts.events += 1;
    else fail(line, `${status} ${error?.message ?? ''}`);
    onProgress(counts);
  };
  while (!isDone) {
    const unanswered = await sendImportLines(target, nextLines(), onResult);
    if (unanswered > 0) throw new Error(`the server ended the import; ${unanswered} lines got no answer. Run it again`);
  }
  return counts;
};
