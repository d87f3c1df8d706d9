// One snapshot of the index with the outbox's events on top. The outbox is looked at first, so that a record on its way from
// the one to the other is seen in both and counted once, never missed.
import { readRecordRows } from './recordReads.ts';
import type { IndexStore, Snapshot } from './store.ts';
import {
  isUncommittedEvent,
  type UncommittedEvent,
  type UncommittedRecord,
  type UncommittedRecords,
} from './uncommitted.ts';

/** A read of a snapshot and of the events that are not in it, oldest first. */
export type OverlaidRead<T> = (snapshot: Snapshot, uncommitted: UncommittedEvent[]) => T | Promise<T>;

export interface OverlaidReader {
  /** Runs a read with the uncommitted events of one stream. */
  readStream<T>(tenantIdentity: string, streamIdentity: string, read: OverlaidRead<T>): Promise<T>;
  /** Runs a read with the uncommitted events of all streams of a tenant. */
  readTenant<T>(tenantIdentity: string, read: OverlaidRead<T>): Promise<T>;
}

const withoutIndexed = (snapshot: Snapshot, entries: readonly UncommittedRecord[]): UncommittedEvent[] => {
  const events = entries.filter(isUncommittedEvent);
  if (events.length === 0) return events;
  const names = events.map(({ tenantIdentity, record }) => ({ tenantIdentity, identity: record.identity }));
  const rows = readRecordRows(snapshot, names);
  return events.filter((_, at) => rows[at] === undefined);
};

/** Reader over an index and an outbox. */
export const createOverlaidReader = (deps: { store: IndexStore; outbox: UncommittedRecords }): OverlaidReader => {
  const { store, outbox } = deps;
  const readOver = async <T>(entries: readonly UncommittedRecord[], read: OverlaidRead<T>): Promise<T> => {
    const snapshot = store.snapshot();
    try {
      return await read(snapshot, withoutIndexed(snapshot, entries));
    } finally {
      await snapshot.close();
    }
  };
  return {
    readStream: (tenantIdentity, streamIdentity, read) =>
      readOver(outbox.readStream(tenantIdentity, streamIdentity), read),
    readTenant: (tenantIdentity, read) =>
      readOver(
        outbox.readEntries().filter((entry) => entry.tenantIdentity === tenantIdentity),
        read,
      ),
  };
};
