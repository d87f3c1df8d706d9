// The files of blobs on disk. Each tenant has its own contents, so a tenant that names a hash in a record never gets
// the bytes of another tenant. Every change is synced when its function resolves.
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import { toTenantIdentity, toUuid } from '../../ledger/identity.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;
const NO_SPACE: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** A content: its tenant, and its SHA-256 in lower-case hexadecimal. */
export interface ContentKey {
  readonly tenantIdentity: string;
  readonly sha256: string;
}

/** Converts the error of a full disk or disk quota to STORAGE_FULL; returns any other error unchanged. */
export const toStorageError = (error: unknown): unknown =>
  NO_SPACE.includes((error as NodeJS.ErrnoException).code) ? new LedgerError('STORAGE_FULL', { cause: error }) : error;

const syncDirectory = async (path: string): Promise<void> => {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
};

const createDirectory = (path: string) => mkdir(path, { recursive: true, mode: PRIVATE_DIRECTORY });

/** Creates the refusal of a file of more than `bytesMax`. */
export const refuseTooLarge = (bytesMax: number): LedgerError =>
  refuseField('REQUEST_TOO_LARGE', 'file', `is larger than ${bytesMax} bytes`);

/** The size of a file in bytes; undefined when there is none. */
export const readSize = async (path: string): Promise<number | undefined> => {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** Size and SHA-256 (lower-case hexadecimal) of a stream that was written. */
export interface Written {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** Limits and callbacks of a file that is being written. */
export interface WriteBounds {
  readonly bytesMax: number;
  /** Must resolve before that many bytes are written; its rejection ends the write. */
  beforeWrite(bytes: number): Promise<void>;
  /** Called when they are written. */
  afterWrite(bytes: number): void;
}

/**
 * Writes a stream to a new file and syncs it. Holds at most one chunk in memory. Leaves no file when it rejects.
 * Rejects with REQUEST_TOO_LARGE that names `file` for more than `bytesMax`, or as `beforeWrite` does.
 */
export const writeStream = async (
  path: string,
  stream: AsyncIterable<Uint8Array>,
  { bytesMax, beforeWrite, afterWrite }: WriteBounds,
): Promise<Written> => {
  const file = await open(path, 'wx', PRIVATE_FILE);
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > bytesMax) throw refuseTooLarge(bytesMax);
      await beforeWrite(chunk.length);
      hash.update(chunk);
      await file.writeFile(chunk);
      afterWrite(chunk.length);
    }
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return { sha256: hash.digest('hex'), size };
};

const MARKER = /^([0-9a-f-]{36})\.([0-9a-f]{64})\./;

/** The files below one directory. */
export interface ContentFiles {
  /** Root of `toPath`. */
  readonly directory: string;
  /** Path of a file that is being received, by its name. */
  toIncomingPath(name: string): string;
  /** Path of a content, below `directory`. */
  toPath(key: ContentKey): string;
  /** Moves a file to its path as a content, unless that exists with the same size. */
  place(path: string, key: ContentKey, size: number): Promise<void>;
  /** Deletes a content, if it exists. */
  remove(key: ContentKey): Promise<void>;
  /** Marks a content that may have no record from now on. Resolves with a function that deletes the marker. */
  mark(key: ContentKey, name: string): Promise<() => Promise<void>>;
  /** Files that an earlier process left: incoming files, and markers with the content that they name. */
  readLeftovers(): Promise<{ path: string; key: ContentKey | undefined }[]>;
}

const toMarker = ({ tenantIdentity, sha256 }: ContentKey, name: string): string =>
  `${toUuid(tenantIdentity)}.${sha256}.${name}`;

const parseMarker = (name: string): ContentKey | undefined => {
  const match = MARKER.exec(name);
  return match === null ? undefined : { tenantIdentity: toTenantIdentity(match[1]!), sha256: match[2]! };
};

/** Path of a content below the directory of all contents. */
export const toContentPath = ({ tenantIdentity, sha256 }: ContentKey): string =>
  join(toUuid(tenantIdentity), sha256.slice(0, 2), sha256.slice(2));

/**
 * Opens the files below a directory, which is created if it doesn't exist. `server`: this server's name among those
 * that share the directory. Each has its own incoming files and markers, and contents are never removed: another server
 * may be about to name them in a record.
 */
export const openContentFiles = async (root: string, server?: string): Promise<ContentFiles> => {
  const directory = join(root, 'content');
  const incoming = join(root, 'incoming', server ?? '');
  for (const path of [directory, incoming]) await createDirectory(path);
  for (const path of [root, dirname(root)]) await syncDirectory(path);
  return {
    directory,
    toIncomingPath: (name) => join(incoming, name),
    toPath: toContentPath,
    place: async (path, key, size) => {
      const target = join(directory, toContentPath(key));
      if ((await readSize(target)) === size) return;
      const parent = dirname(target);
      await createDirectory(parent);
      await rename(path, target);
      for (const changed of [parent, dirname(parent), directory]) await syncDirectory(changed);
    },
    remove: async (key) => {
      if (server !== undefined) return;
      const target = join(directory, toContentPath(key));
      if ((await readSize(target)) === undefined) return;
      await rm(target);
      await syncDirectory(dirname(target));
    },
    mark: async (key, name) => {
      const path = join(incoming, toMarker(key, name));
      await writeFile(path, '', { flag: 'wx', mode: PRIVATE_FILE });
      await syncDirectory(incoming);
      return () => rm(path, { force: true });
    },
    // Directories are those of servers that share this one.
    readLeftovers: async () =>
      (await readdir(incoming, { withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ name }) => ({ path: join(incoming, name), key: parseMarker(name) })),
  };
};
