// Reads one snapshot of the index and the outbox's records that are not in it. The outbox is read first, so that a
// record that moves from the outbox to the index meanwhile is found in both and counted once, never missed.
import type { SnapshotSource } from '../sharedIndex.ts';
import type { Snapshot } from '../snapshots.ts';
import type { IndexStore } from '../store.ts';
import { isIndexed } from './recordReads.ts';
import type { UncommittedRecord, UncommittedRecords } from './uncommitted.ts';

/** A read of a snapshot and of the records that are not in it, oldest first. */
export type OverlaidRead<T> = (snapshot: Snapshot, uncommitted: readonly UncommittedRecord[]) => T | Promise<T>;

/** Single rows of the index as it is now. */
export type CurrentRows = Pick<IndexStore, 'read'>;

/** Runs reads of snapshots of the index with uncommitted records. */
export interface SnapshotReader {
  /** Runs a read with the uncommitted records of one stream. */
  readStream<T>(tenantIdentity: string, streamIdentity: string, read: OverlaidRead<T>): Promise<T>;
  /** Runs a read with the uncommitted records of all streams of a tenant. */
  readTenant<T>(tenantIdentity: string, read: OverlaidRead<T>): Promise<T>;
  /** Runs a read with the uncommitted records of a tenant for which `isNeeded` returns true. */
  readSome<T>(
    tenantIdentity: string,
    isNeeded: (entry: UncommittedRecord) => boolean,
    read: OverlaidRead<T>,
  ): Promise<T>;
  /** Runs a read of what is committed alone, of any tenant. */
  readSnapshot<T>(read: (snapshot: Snapshot) => T | Promise<T>): Promise<T>;
}

/** Runs reads of the index with uncommitted records. */
export interface OverlaidReader extends SnapshotReader {
  /**
   * Runs a read of single rows with the uncommitted records of one stream. The read has no pause, so that all rows are
   * of one moment without a snapshot.
   */
  readRows<T>(
    tenantIdentity: string,
    streamIdentity: string,
    read: (rows: CurrentRows, uncommitted: readonly UncommittedRecord[]) => T,
  ): T;
  /** The uncommitted records of a stream, or of all streams of a tenant, that the index lacks now. */
  findMissing(tenantIdentity: string, streamIdentity: string | undefined): readonly UncommittedRecord[];
}

/**
 * Returns a function that determines whether the index lacks a record now. Each record is looked up once for each
 * version of the index: a stream may have thousands of records that wait for the chain.
 */
const createIsMissing = (store: Pick<IndexStore, 'read' | 'version'>) => {
  const missingIn = new WeakMap<UncommittedRecord, number>();
  return (entry: UncommittedRecord): boolean => {
    const version = store.version();
    if (missingIn.get(entry) === version) return true;
    const { tenantIdentity, record } = entry;
    if (isIndexed(store, { tenantIdentity, identity: record.identity })) return false;
    missingIn.set(entry, version);
    return true;
  };
};

/** Creates the reader of snapshots of an index, and of an outbox. */
export const createSnapshotReader = (deps: { store: SnapshotSource; outbox: UncommittedRecords }): SnapshotReader => {
  const { store, outbox } = deps;
  const isMissingIn =
    (rows: CurrentRows) =>
    ({ tenantIdentity, record: { identity } }: UncommittedRecord): boolean =>
      !isIndexed(rows, { tenantIdentity, identity });
  const readOver = async <T>(entries: readonly UncommittedRecord[], read: OverlaidRead<T>): Promise<T> => {
    const snapshot = await store.snapshot();
    try {
      return await read(snapshot, entries.filter(isMissingIn(snapshot)));
    } finally {
      await snapshot.close();
    }
  };
  return {
    readStream: (tenantIdentity, streamIdentity, read) =>
      readOver(outbox.readStream(tenantIdentity, streamIdentity), read),
    readTenant: (tenantIdentity, read) => readOver(outbox.readTenant(tenantIdentity), read),
    readSome: (tenantIdentity, isNeeded, read) => readOver(outbox.readTenant(tenantIdentity).filter(isNeeded), read),
    readSnapshot: (read) => readOver([], read),
  };
};

/** Creates the reader of an index and an outbox. */
export const createOverlaidReader = (deps: { store: IndexStore; outbox: UncommittedRecords }): OverlaidReader => {
  const { store, outbox } = deps;
  const isMissing = createIsMissing(store);
  return {
    ...createSnapshotReader(deps),
    readRows: (tenantIdentity, streamIdentity, read) =>
      read(store, outbox.readStream(tenantIdentity, streamIdentity).filter(isMissing)),
    findMissing: (tenantIdentity, streamIdentity) => {
      const entries =
        streamIdentity === undefined
          ? outbox.readTenant(tenantIdentity)
          : outbox.readStream(tenantIdentity, streamIdentity);
      return entries.filter(isMissing);
    },
  };
};
