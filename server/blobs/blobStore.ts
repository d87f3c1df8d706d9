// Stores the bytes of blobs. A content exists if and only if a record of its tenant names it: a marker file is written
// before the content is moved to its place, and deleted when the record was accepted, or when it was refused and the
// content was deleted. A marker that is found at the start was left by a process that was killed in between; the ledger
// shows whether the record was accepted.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LedgerError, type LedgerErrorCode } from '../../ledger/errors.ts';
import { createRunExclusively } from '../fairness/exclusive.ts';
import { type ByteClaim, type ByteQuota, createByteQuota } from './byteQuota.ts';
import {
  type ContentFiles,
  type ContentKey,
  openContentFiles,
  readSize,
  toStorageError,
  writeStream,
} from './contentFiles.ts';
import { createDiskReserve, type DiskGrant, readDiskSpace } from './diskReserve.ts';
import { createFindDamage } from './intactContents.ts';

/** A file that was received and that no record names yet. */
export interface StagedFile {
  readonly path: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** The media type that the client declared, unchanged. */
  readonly declaredType: string | undefined;
  /** Its bytes in the tenant's quota. */
  readonly claim: ByteClaim;
}

/** Path of a content, as Express sends it. */
export interface ContentPlace {
  readonly root: string;
  readonly path: string;
}

export interface BlobStore {
  /** How many more bytes the files of a tenant may have; undefined: there is no limit. */
  readBytesLeft(tenantIdentity: string): Promise<number | undefined>;
  /**
   * Writes a file of the tenant and syncs it. `expectedBytes`, if known, is claimed at the beginning. Leaves no file
   * when it rejects: with REQUEST_TOO_LARGE or BLOB_QUOTA_REACHED that name `file`, with STORAGE_RESERVED, with
   * STORAGE_FULL, with UPLOADS_BUSY when other uploads in progress may need the space, or with the stream's own error.
   */
  stage(
    tenantIdentity: string,
    stream: AsyncIterable<Uint8Array>,
    declaredType: string | undefined,
    expectedBytes?: number,
  ): Promise<StagedFile>;
  /** Deletes a staged file, unless it was kept. */
  discard(staged: StagedFile): Promise<void>;
  /**
   * Moves a staged file to the contents of the tenant, and then appends its record. When the record was refused the
   * content is deleted, unless another record of the tenant names it.
   */
  keep<T>(tenantIdentity: string, staged: StagedFile, append: () => Promise<T>): Promise<T>;
  /** Whether this server has a file for a content. */
  has(key: ContentKey): Promise<boolean>;
  /**
   * Finds a content of `size` bytes. Rejects with BLOB_DAMAGED, and reports the path, when its file is missing or has
   * other bytes.
   */
  locate(key: ContentKey, size: number): Promise<ContentPlace>;
}

/** Limits of a store, in bytes. */
export interface BlobLimits {
  /** Largest file. */
  readonly bytesMax: number;
  /** All files of one tenant; 0: no limit. */
  readonly tenantBytesMax: number;
  /** Disk space that stays free; undefined: 1 GiB, or 5 % of the disk where that is less. */
  readonly reserveBytes: number | undefined;
}

interface BlobStoreOptions extends BlobLimits {
  readonly directory: string;
  /** This server's name among those that share the directory; undefined: it has the directory alone. */
  readonly sharedAs?: string | undefined;
  /** Bytes of all files of a tenant, committed or pending. */
  readonly readBlobBytes: (tenantIdentity: string) => Promise<number>;
  readonly newUuid: () => string;
  /** Whether a record of the tenant, committed or pending, names this content. */
  readonly isContentKnown: (tenantIdentity: string, sha256: string) => Promise<boolean>;
  /** Called for problems that the operator must solve. */
  readonly onProblem: (message: string, cause: unknown) => void;
}

// Errors after which no record was accepted, or the ledger has another one instead. After any other error the record
// may be in the outbox; the next start finds out.
const NOT_ACCEPTED: readonly LedgerErrorCode[] = [
  'OUTBOX_FULL',
  'RECORD_TOO_LARGE',
  'RELAYER_UNFUNDED',
  'CHAIN_MISMATCH',
  'CHAIN_REPLACED',
  'STOPPING',
  'IDENTITY_PRESENT',
];
const isRefused = (error: unknown): boolean => error instanceof LedgerError && NOT_ACCEPTED.includes(error.code);

type Rethrow = (error: unknown) => never;

const createRethrow =
  (onProblem: BlobStoreOptions['onProblem']): Rethrow =>
  (error) => {
    const refusal = toStorageError(error);
    if (refusal !== error) onProblem('there is no space left for blobs', error);
    throw refusal;
  };

const cleanUp = async (files: ContentFiles, isContentKnown: BlobStoreOptions['isContentKnown']): Promise<void> => {
  for (const { path, key } of await files.readLeftovers()) {
    if (key !== undefined && !(await isContentKnown(key.tenantIdentity, key.sha256))) await files.remove(key);
    await rm(path, { force: true });
  }
};

// Counts, for each content, the appends in progress or undecided that name it.
const createHolders = () => {
  const counts = new Map<string, number>();
  return {
    has: (path: string): boolean => counts.has(path),
    add: (path: string): void => {
      counts.set(path, (counts.get(path) ?? 0) + 1);
    },
    remove: (path: string): void => {
      const count = counts.get(path)! - 1;
      if (count === 0) counts.delete(path);
      else counts.set(path, count);
    },
  };
};

const createKeep = (files: ContentFiles, options: BlobStoreOptions, rethrow: Rethrow): BlobStore['keep'] => {
  const { isContentKnown, newUuid } = options;
  const runExclusively = createRunExclusively();
  const holders = createHolders();
  return async (tenantIdentity, staged, append) => {
    const key = { tenantIdentity, sha256: staged.sha256 };
    const path = files.toPath(key);
    const removeMarker = await files.mark(key, newUuid()).catch(rethrow);
    const removeUnnamed = async (): Promise<void> => {
      await runExclusively(path, async () => {
        if (!holders.has(path) && !(await isContentKnown(tenantIdentity, key.sha256))) await files.remove(key);
      });
      await removeMarker();
    };
    holders.add(path);
    try {
      await runExclusively(path, () => files.place(staged.path, key, staged.size));
      // A file whose content exists already was not moved.
      await rm(staged.path, { force: true });
    } catch (error) {
      holders.remove(path);
      await removeUnnamed();
      return rethrow(error);
    }
    const answer = await append().catch(async (error: unknown) => {
      // A record that may have been accepted holds the content until the next start.
      if (isRefused(error)) {
        holders.remove(path);
        await removeUnnamed();
      }
      staged.claim.end();
      throw error;
    });
    staged.claim.end();
    holders.remove(path);
    await removeMarker();
    return answer;
  };
};

const createStage = (
  files: ContentFiles,
  options: BlobStoreOptions,
  quota: ByteQuota,
  rethrow: Rethrow,
): BlobStore['stage'] => {
  const { bytesMax } = options;
  const reserve = createDiskReserve(options.reserveBytes, () => readDiskSpace(files.directory));
  const write = (path: string, stream: AsyncIterable<Uint8Array>, claim: ByteClaim, grant: DiskGrant) => {
    const beforeWrite = async (bytes: number): Promise<void> => {
      await claim.add(bytes);
      await grant.take(bytes);
    };
    return writeStream(path, stream, { bytesMax, beforeWrite, afterWrite: grant.wrote }).finally(grant.end);
  };
  return async (tenantIdentity, stream, declaredType, expectedBytes) => {
    const expected = expectedBytes === undefined ? undefined : Math.min(expectedBytes, bytesMax);
    const claim = await quota.open(tenantIdentity, expected);
    const path = files.toIncomingPath(options.newUuid());
    try {
      const written = await write(path, stream, claim, await reserve.open(expected));
      claim.complete();
      return { ...written, path, declaredType, claim };
    } catch (error) {
      claim.end();
      return rethrow(error);
    }
  };
};

/**
 * Opens the store of a directory, and deletes the files that a killed process of this server left there. One process at
 * a time of each server.
 */
export const openBlobStore = async (options: BlobStoreOptions): Promise<BlobStore> => {
  const files = await openContentFiles(options.directory, options.sharedAs);
  const rethrow = createRethrow(options.onProblem);
  const quota = createByteQuota(options.tenantBytesMax, options.readBlobBytes);
  const findDamage = createFindDamage();
  await cleanUp(files, options.isContentKnown);
  return {
    readBytesLeft: quota.readLeft,
    stage: createStage(files, options, quota, rethrow),
    discard: async ({ path, claim }) => {
      claim.end();
      await rm(path, { force: true });
    },
    keep: createKeep(files, options, rethrow),
    has: async (key) => (await readSize(join(files.directory, files.toPath(key)))) !== undefined,
    locate: async (key, size) => {
      const place = { root: files.directory, path: files.toPath(key) };
      const path = join(place.root, place.path);
      const damage = await findDamage(path, { sha256: key.sha256, size });
      if (damage === undefined) return place;
      options.onProblem('the content of a blob is damaged', new Error(`${path} ${damage}`));
      throw new LedgerError('BLOB_DAMAGED');
    },
  };
};
