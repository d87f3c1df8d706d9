// Blobs: their fingerprints, and the events that attach them.

import type { BlobRecord } from '../ledger/blobRecord.ts';
import { toKey } from '../ledger/identity.ts';
import { type BlobResource, toBlobResource } from '../ledger/resources.ts';
import { type EventSource, listEvents } from './eventReads.ts';
import * as keys from './keys.ts';
import type { EventQuery, KnownBlob, Page, PageQuery } from './ledgerView.ts';
import { readNewestPage } from './newestPage.ts';
import { readMembers } from './recordReads.ts';
import type { BlobRow } from './rows.ts';
import { select } from './selection.ts';
import type { Snapshot } from './store.ts';
import { blobTerms } from './terms.ts';
import { pending, type UncommittedRecord } from './uncommitted.ts';

const readRow = (snapshot: Snapshot, tenantIdentity: string, identity: string): BlobRow | undefined =>
  snapshot.read(keys.blobKey(toKey(tenantIdentity), toKey(identity))) as BlobRow | undefined;

export interface BlobSource {
  readonly snapshot: Snapshot;
  readonly tenantIdentity: string;
  /** Oldest first. */
  readonly uncommitted: readonly UncommittedRecord<BlobRecord>[];
}

/** A blob; undefined when the tenant has none of this identity. */
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
  return readNewestPage(
    {
      uncommitted: waiting
        .map(({ sequence, streamIdentity: identity, record }) => ({
          sequence,
          isPending: true,
          identity,
          item: toBlobResource(record, tenantIdentity),
        }))
        .reverse(),
      select: (to) => select(snapshot, { ...members, conditions }, { from: 0, to, isNewestFirst: true }),
      readNumber: (identity) => readRow(snapshot, tenantIdentity, identity)?.number,
      readItems: async (numbers) => {
        const rows = await readMembers(snapshot, members, numbers, keys.blobKey);
        return (rows as BlobRow[]).map(({ record }) => toBlobResource(record, tenantIdentity));
      },
    },
    page,
  );
};

const toAttachQuery = (blobIdentity: string): EventQuery => ({
  assetUuid: undefined,
  attributes: [],
  fields: [{ field: 'attaches', value: blobIdentity }],
  times: [],
  order: 'newest',
});

/** One page of the blobs with this content, newest first, each with the newest events that attach it. */
export const listBlobs = async (
  source: BlobSource,
  events: EventSource,
  { sha256, attachedByMax }: { readonly sha256: string; readonly attachedByMax: number },
  page: PageQuery,
): Promise<Page<KnownBlob>> => {
  const { items, ...rest } = await readWithContent(source, sha256, page);
  const attachedBy = { limit: attachedByMax, after: undefined, isCounted: true };
  const known = items.map(async (blob): Promise<KnownBlob> => {
    const found = await listEvents(events, toAttachQuery(blob.identity), attachedBy);
    return { blob, attachedBy: found.items.map(({ identity }) => identity), attachedByTotal: found.total! };
  });
  return { items: await Promise.all(known), ...rest };
};
