// Reads of one named collection, and of single versions of any resource.
import { toVersionIdentity } from '../../ledger/identity.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import type { Page, PageQuery } from '../ledgerView.ts';
import type { Named, NamedCollection } from '../projection/namedCollections.ts';
import type { NamedRecord } from '../rows/rows.ts';
import type { Snapshot } from '../snapshots.ts';
import type { NamedQuery, NamedSource } from './namedList.ts';
import { listNamed, listStored, readNamed, readNewestNamed } from './namedReads.ts';
import type { OverlaidReader } from './overlaidReader.ts';
import * as reads from './recordReads.ts';
import { ofType, type UncommittedRecord } from './uncommitted.ts';
import { readVersionAt } from './versionAt.ts';

type RecordOf<Type extends LedgerRecord['type']> = Extract<LedgerRecord, { type: Type }>;

/** One version of a resource, committed or not. */
export const readVersion = async <Type extends LedgerRecord['type']>(
  reader: OverlaidReader,
  type: Type,
  tenantIdentity: string,
  streamIdentity: string,
  versionUuid: string,
): Promise<RecordOf<Type> | undefined> => {
  const identity = toVersionIdentity(streamIdentity, versionUuid);
  return reader.readRows(tenantIdentity, streamIdentity, (rows, uncommitted) => {
    const waiting = ofType(uncommitted, type).find(({ record }) => record.identity === identity);
    return waiting?.record ?? reads.readRecordOf(rows, { tenantIdentity, identity }, type);
  });
};

/** What the reads of a named collection need to know of it. */
export interface NamedReadsOf<Type extends NamedRecord['type'], T extends Named> {
  readonly type: Type;
  readonly of: NamedCollection<RecordOf<Type>, T>;
  /** The identity of a member. */
  toIdentity(uuid: string): string;
}

/** Reads of the members of a named collection. */
export interface NamedReads<R, T> {
  /** A member in its newest version; undefined if that deletes it. */
  read(tenantIdentity: string, uuid: string): Promise<T | undefined>;
  /**
   * A member as of the version that was in effect at a time, in milliseconds since the epoch; undefined if there was
   * none yet, or if it deletes the member.
   */
  readAt(tenantIdentity: string, uuid: string, atMs: number): Promise<T | undefined>;
  /** The newest version of a member, committed or not, unless it deletes the member. */
  readNewest(tenantIdentity: string, uuid: string): Promise<R | undefined>;
  /** One version of a member, committed or not. */
  readVersion(tenantIdentity: string, uuid: string, versionUuid: string): Promise<R | undefined>;
  list(tenantIdentity: string, query: NamedQuery, page: PageQuery): Promise<Page<T>>;
  /** One page of all members, newest first, each decoded only when its function is called. */
  listStored(tenantIdentity: string, page: PageQuery): Promise<Page<() => T>>;
}

/** What the members of a named collection are read from, given all uncommitted records that may be of it. */
export const toNamedSource = <Type extends NamedRecord['type'], T extends Named>(
  { of, type }: Pick<NamedReadsOf<Type, T>, 'of' | 'type'>,
  tenantIdentity: string,
  snapshot: Snapshot,
  entries: readonly UncommittedRecord[],
): NamedSource<RecordOf<Type>, T> => ({
  snapshot,
  tenantIdentity,
  of,
  uncommitted: ofType<Type>(entries, type),
});

/** Creates the reads of a named collection. */
export const createNamedReads = <Type extends NamedRecord['type'], T extends Named>(
  reader: OverlaidReader,
  collection: NamedReadsOf<Type, T>,
): NamedReads<RecordOf<Type>, T> => {
  const { type, toIdentity } = collection;
  const readStream = <Read>(
    tenantIdentity: string,
    uuid: string,
    read: (source: NamedSource<RecordOf<Type>, T>, identity: string) => Read | Promise<Read>,
  ): Promise<Read> => {
    const identity = toIdentity(uuid);
    return reader.readStream(tenantIdentity, identity, (snapshot, entries) =>
      read(toNamedSource(collection, tenantIdentity, snapshot, entries), identity),
    );
  };
  return {
    read: (tenantIdentity, uuid) => readStream<T | undefined>(tenantIdentity, uuid, readNamed),
    readAt: (tenantIdentity, uuid, atMs) =>
      readStream(tenantIdentity, uuid, async ({ snapshot, of, uncommitted }, streamIdentity) => {
        const version = await readVersionAt(snapshot, { type, tenantIdentity, streamIdentity }, atMs, uncommitted);
        return version && of.toResource(version);
      }),
    readNewest: (tenantIdentity, uuid) => readStream<RecordOf<Type> | undefined>(tenantIdentity, uuid, readNewestNamed),
    readVersion: (tenantIdentity, uuid, versionUuid) =>
      readVersion(reader, type, tenantIdentity, toIdentity(uuid), versionUuid),
    list: (tenantIdentity, query, page) =>
      reader.readTenant(tenantIdentity, (snapshot, entries) =>
        listNamed(toNamedSource(collection, tenantIdentity, snapshot, entries), query, page),
      ),
    listStored: (tenantIdentity, page) =>
      reader.readTenant(tenantIdentity, (snapshot, entries) =>
        listStored(toNamedSource(collection, tenantIdentity, snapshot, entries), page),
      ),
  };
};
