// The files of the blobs on disk. Each tenant has contents of its own, so that naming a hash in a record gives nobody the bytes of another
// tenant. What a function here has done is on the disk when it resolves.
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import { toTenantIdentity, toUuid } from '../../ledger/identity.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;
const NO_SPACE: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** Whose content, and which: the SHA-256 in lower-case hexadecimal. */
export interface ContentKey {
  readonly tenantIdentity: string;
  readonly sha256: string;
}

/** The refusal that tells of a full disk; any other error as it is. */
export const toStorageError = (error: unknown): unknown =>
  NO_SPACE.includes((error as NodeJS.ErrnoException).code) ? new LedgerError('STORAGE_FULL', { cause: error }) : error;

const syncDirectory = async (path: string): Promise<void> => {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
};

const createDirectory = (path: string) => mkdir(path, { recursive: true, mode: PRIVATE_DIRECTORY });

/** The refusal of a file of more than `bytesMax`. */
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

/** What was written of a stream: how much, and its fingerprint. */
export interface Written {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** Bounds of a file that is being written. */
export interface WriteBounds {
  readonly bytesMax: number;
  /** Must resolve before that many bytes are written; its rejection ends the writing. */
  beforeWrite(bytes: number): Promise<void>;
  /** Is called when they are written. */
  afterWrite(bytes: number): void;
}

/**
 * Writes a stream to a new file, synced. Holds no more of it than one chunk. Leaves no file behind when it rejects.
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

const MARK = /^([0-9a-f-]{36})\.([0-9a-f]{64})\./;

export interface ContentFiles {
  /** Root of `toPath`. */
  readonly directory: string;
  /** A path for a file that is coming in, known by its name. */
  toIncomingPath(name: string): string;
  /** Path of a content, below `directory`. */
  toPath(key: ContentKey): string;
  /** Moves a file to its place, unless it is there. */
  place(path: string, key: ContentKey, size: number): Promise<void>;
  remove(key: ContentKey): Promise<void>;
  /** Notes that a content may be without a record from now on. Resolves with what takes the note away. */
  mark(key: ContentKey, name: string): Promise<() => Promise<void>>;
  /** What is left of an earlier run: names of incoming files, and for notes the content that they are about. */
  readLeftovers(): Promise<{ path: string; key: ContentKey | undefined }[]>;
}

const toMark = ({ tenantIdentity, sha256 }: ContentKey, name: string): string =>
  `${toUuid(tenantIdentity)}.${sha256}.${name}`;

const parseMark = (name: string): ContentKey | undefined => {
  const match = MARK.exec(name);
  return match === null ? undefined : { tenantIdentity: toTenantIdentity(match[1]!), sha256: match[2]! };
};

/** Where a content is below the directory of all contents. */
export const toContentPath = ({ tenantIdentity, sha256 }: ContentKey): string =>
  join(toUuid(tenantIdentity), sha256.slice(0, 2), sha256.slice(2));

/** Opens the files below a directory, which is made when it isn't there. */
export const openContentFiles = async (root: string): Promise<ContentFiles> => {
  const directory = join(root, 'content');
  const incoming = join(root, 'incoming');
  for (const path of [directory, incoming]) await createDirectory(path);
  for (const path of [root, dirname(root)]) await syncDirectory(path);
  return {
    directory,
    toIncomingPath: (name) => join(incoming, name),
    toPath: toContentPath,
    place: async (path, key, size) => {
      const target = join(directory, toContentPath(key));
      if ((await readSize(target)) === size) return;
      const folder = dirname(target);
      await createDirectory(folder);
      await rename(path, target);
      for (const changed of [folder, dirname(folder), directory]) await syncDirectory(changed);
    },
    remove: async (key) => {
      const target = join(directory, toContentPath(key));
      if ((await readSize(target)) === undefined) return;
      await rm(target);
      await syncDirectory(dirname(target));
    },
    mark: async (key, name) => {
      const path = join(incoming, toMark(key, name));
      await writeFile(path, '', { flag: 'wx', mode: PRIVATE_FILE });
      await syncDirectory(incoming);
      return () => rm(path, { force: true });
    },
    readLeftovers: async () =>
      (await readdir(incoming)).map((name) => ({ path: join(incoming, name), key: parseMark(name) })),
  };
};
