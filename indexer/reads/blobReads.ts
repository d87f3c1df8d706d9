// Reads of blobs: their fingerprints, and the events that attach them.
import { fromHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import { type BlobRecord, type BlobResource, toBlobResource } from '../../ledger/records/blob.ts';
import * as keys from '../keys.ts';
import type { EventQuery, KnownBlob, Page, PageQuery } from '../ledgerView.ts';
import { blobTerms } from '../projection/terms.ts';
import type { BlobRow, PublicBlobRow } from '../rows/rows.ts';
import type { Snapshot } from '../snapshots.ts';
import { toPlace } from './acceptedPlace.ts';
import { type EventSource, readEventPage } from './eventPages.ts';
import { readNewestPage } from './newestPage.ts';
import { readMembers } from './recordReads.ts';
import { numbersFrom } from './selection/countedSelection.ts';
import { readCount, select } from './selection/selection.ts';
import { pending, type UncommittedRecord } from './uncommitted.ts';

const readRow = (snapshot: Snapshot, tenantIdentity: string, identity: string): BlobRow | undefined =>
  snapshot.read(keys.blobKey(toKey(tenantIdentity), toKey(identity))) as BlobRow | undefined;

/** What blobs are read from. */
export interface BlobSource {
  readonly snapshot: Snapshot;
  readonly tenantIdentity: string;
  /** Oldest first. */
  readonly uncommitted: readonly UncommittedRecord<BlobRecord>[];
}

/** A blob; undefined if the tenant has none with this identity. */
export const readBlob = (
  { snapshot, tenantIdentity, uncommitted }: BlobSource,
  identity: string,
): BlobResource | undefined => {
  const waiting = pending(uncommitted)[0]?.record;
  const record = readRow(snapshot, tenantIdentity, identity)?.record ?? waiting;
  return record && toBlobResource(record, tenantIdentity);
};

const readWithContent = (
  { snapshot, tenantIdentity, uncommitted }: BlobSource,
  sha256: string,
  page: PageQuery,
): Promise<Page<BlobResource>> => {
  const members = { tenantKey: toKey(tenantIdentity), collection: 'blobs' } as const;
  const conditions = { all: blobTerms({ hash: { alg: 'SHA256', value: sha256 } }), none: [] };
  const waiting = pending(uncommitted).filter(({ record }) => record.sha256 === sha256);
  const selectFrom = (to: number, from = 0) =>
    select(snapshot, { ...members, conditions }, { from, to, isNewestFirst: true });
  const readRows = async (numbers: readonly number[]) =>
    (await readMembers(snapshot, { ...members, numbers }, keys.blobKey)) as BlobRow[];
  return readNewestPage(
    {
      uncommitted: waiting.map(({ record }) => ({
        place: toPlace(record),
        toItem: () => toBlobResource(record, tenantIdentity),
      })),
      select: selectFrom,
      readCount: () => readCount(snapshot, members),
      findCommitted: async (from) => {
        const rows = await readRows(await numbersFrom(selectFrom(Number.POSITIVE_INFINITY, from), from));
        return rows.map(({ record, number }) => ({ place: toPlace(record), number }));
      },
      readItems: async (numbers) =>
        (await readRows(numbers)).map(({ record }) => toBlobResource(record, tenantIdentity)),
    },
    page,
  );
};

const toAttachQuery = (blobIdentity: string, isOfPublic: boolean): EventQuery => ({
  isOfPublic,
  assetUuid: undefined,
  attributes: [],
  fields: [{ field: 'attaches', value: blobIdentity }],
  times: [],
  order: 'newest',
});

interface ContentQuery {
  readonly sha256: string;
  readonly attachedByMax: number;
}

const readKnown = async (
  events: EventSource,
  blob: BlobResource,
  { attachedByMax, isOfPublic }: { readonly attachedByMax: number; readonly isOfPublic: boolean },
): Promise<KnownBlob> => {
  const page = { limit: attachedByMax, position: undefined, isCounted: true };
  const found = await readEventPage(events, toAttachQuery(blob.identity, isOfPublic), page);
  return { blob, attachedBy: found.items.map(({ identity }) => identity), attachedByTotal: found.total! };
};

/** One page of the tenant's blobs with this content, newest first, each with the newest events that attach it. */
export const readBlobPage = async (
  source: BlobSource,
  events: EventSource,
  { sha256, attachedByMax }: ContentQuery,
  page: PageQuery,
): Promise<Page<KnownBlob>> => {
  const { items, ...rest } = await readWithContent(source, sha256, page);
  const known = items.map((blob) => readKnown(events, blob, { attachedByMax, isOfPublic: false }));
  return { items: await Promise.all(known), ...rest };
};

/** One page of the blobs of all tenants with this content that committed public records attach, in key order. */
export const listPublicBlobs = async (
  snapshot: Snapshot,
  { sha256, attachedByMax }: ContentQuery,
  { limit, position }: Pick<PageQuery, 'limit' | 'position'>,
): Promise<Page<KnownBlob>> => {
  const content = fromHex(`0x${sha256}`);
  const toPlace = ({ tenant, blob }: PublicBlobRow) => keys.publicBlobKey(content, toKey(tenant), toKey(blob));
  const from = position === undefined ? undefined : toPlace(JSON.parse(position) as PublicBlobRow);
  const entries = await snapshot.readFirst(keys.publicBlobRange(content, from), limit + 1);
  const rows = entries.slice(0, limit).map(([, row]) => row as PublicBlobRow);
  const known = rows.map(({ tenant, blob: identity, owner = tenant }) => {
    const blob = readBlob({ snapshot, tenantIdentity: tenant, uncommitted: [] }, identity)!;
    const events = { snapshot, tenantIdentity: owner, uncommitted: [] };
    return readKnown(events, blob, { attachedByMax, isOfPublic: true });
  });
  const nextPosition = entries.length > limit ? JSON.stringify(rows.at(-1)) : undefined;
  return { items: await Promise.all(known), nextPosition, total: undefined };
};
