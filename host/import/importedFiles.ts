// Files that records of the source attach. Those whose bytes are beside the records are uploaded when a record names
// them; others are found where this ledger has them already.
import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { toUuid } from '../../ledger/identity.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import { type ImportedBlob, type ImportRequests, RecordRefused } from './importRequests.ts';
import type { SourceRecord } from './sourceItem.ts';
import { toImportKey } from './toImported.ts';

const SHA_256 = /^[0-9a-f]{64}$/;
const UNKNOWN_TYPE = 'application/octet-stream';

/** What the source says of a file. */
interface Described {
  readonly sha256: string;
  readonly mimeType: string;
  readonly line: number;
}

const hashFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

/** The paths of the files in a directory by the SHA-256 of their bytes, whatever their names. */
export const readFilesByHash = async (directory: string): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>();
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isFile()) found.set(await hashFile(path), path);
  }
  return found;
};

const toDescribed = ({ line, value }: SourceRecord): Described | undefined => {
  const { hash, mime_type: mimeType } = value;
  const sha256 = isJsonObject(hash) && typeof hash.value === 'string' ? hash.value.toLowerCase() : '';
  if (!SHA_256.test(sha256)) return undefined;
  return { sha256, mimeType: typeof mimeType === 'string' ? mimeType : UNKNOWN_TYPE, line };
};

/** The files of an import. `paths`: those that are beside the records, by their hashes. */
export const createImportedFiles = (
  requests: Pick<ImportRequests, 'upload' | 'read'>,
  paths: ReadonlyMap<string, string>,
  fail: (line: number, reason: string) => void,
) => {
  const described = new Map<string, Described>();
  const found = new Map<string, Promise<ImportedBlob | undefined>>();

  const upload = async (identity: string, path: string): Promise<ImportedBlob | undefined> => {
    const { mimeType = UNKNOWN_TYPE, line = 0 } = described.get(identity) ?? {};
    try {
      return await requests.upload(toImportKey(identity), { content: await openAsBlob(path), mimeType });
    } catch (error) {
      if (!(error instanceof RecordRefused)) throw error;
      fail(line, `${identity}: ${error.message}`);
      return undefined;
    }
  };

  // The same file may have been uploaded before the import, or this is the ledger that it comes from.
  const findHere = async (identity: string, sha256: string | undefined): Promise<ImportedBlob | undefined> => {
    const own = await requests.read<ImportedBlob>(`v1/blobs/${toUuid(identity)}/info`);
    if (own !== undefined && (sha256 === undefined || own.hash.value === sha256)) return own;
    if (sha256 === undefined) return undefined;
    const equal = await requests.read<{ blobs: ImportedBlob[] }>(`v1/blobs?page_size=1&hash=${sha256}`);
    return equal?.blobs[0];
  };

  const find = async (identity: string, stated: string | undefined): Promise<ImportedBlob | undefined> => {
    const sha256 = described.get(identity)?.sha256 ?? stated;
    const path = sha256 === undefined ? undefined : paths.get(sha256);
    const uploaded = path === undefined ? undefined : await upload(identity, path);
    return uploaded ?? findHere(identity, sha256);
  };

  const findBlob = (identity: string, stated: string | undefined): Promise<ImportedBlob | undefined> => {
    const key = JSON.stringify([identity, described.has(identity) ? undefined : stated]);
    const known = found.get(key) ?? find(identity, stated);
    found.set(key, known);
    return known;
  };

  return {
    /** Finds or uploads a file that the source describes, and reports one that is nowhere. */
    create: async (record: SourceRecord): Promise<void> => {
      const { line, identity } = record;
      const file = toDescribed(record);
      if (file === undefined) return fail(line, `${identity}: has no SHA-256`);
      described.set(identity, file);
      if ((await findBlob(identity, undefined)) === undefined) fail(line, `${identity}: its file is not here`);
    },
    /** The file here; undefined if its bytes are neither beside the records nor here. */
    findBlob,
  };
};
