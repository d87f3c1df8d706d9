// Pages of lists as JSON: read where they are requested, or in another thread. What such a read needs and what it
// returns are plain values.
import { toAssetResource } from '../../ledger/assets/assetResource.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toAssetIdentity } from '../../ledger/identity.ts';
import { type EventResource, withoutPrincipals } from '../../ledger/records/event.ts';
import type { EncodedPage, EventQuery, LedgerView, Page, PageQuery } from '../ledgerView.ts';
import type { SnapshotSource } from '../sharedIndex.ts';
import type { Snapshot } from '../snapshots.ts';
import type { IndexStore } from '../store.ts';
import { encodeList } from './eventJson.ts';
import type { EventSource } from './eventPages.ts';
import { encodeEvents, readListedAssets, readListedEvents } from './listedPages.ts';
import { createSnapshotReader, type OverlaidReader, type SnapshotReader } from './overlaidReader.ts';
import { filtersPrincipals, readPublicEventPage } from './publicEvents.ts';
import { ofType, toUncommittedRecords, type UncommittedRecord } from './uncommitted.ts';

/** The reads of pages as JSON. */
export type EncodedReads = Pick<LedgerView, 'encodeAssetPage' | 'encodeEventPage' | 'encodePublicEventPage'>;

/** A read of a page as JSON: the name of the method, and its arguments. */
export type EncodedRequest =
  | { readonly name: 'encodeAssetPage'; readonly given: Parameters<EncodedReads['encodeAssetPage']> }
  | { readonly name: 'encodeEventPage'; readonly given: Parameters<EncodedReads['encodeEventPage']> }
  | { readonly name: 'encodePublicEventPage'; readonly given: Parameters<EncodedReads['encodePublicEventPage']> };

/** A read, and the uncommitted records that it may need, of this tenant only. */
export interface DelegatedRead {
  readonly request: EncodedRequest;
  readonly uncommitted: readonly UncommittedRecord[];
}

/** Records of a page that are as much work as one filter. */
const FILTER_RECORDS = 20;

/** Records that a read may have on its page; with filters more, because it reads their lists. */
export const toRecords = ({ request: { given } }: DelegatedRead): number => {
  const [, { attributes, fields }, { limit }] = given;
  return limit + FILTER_RECORDS * (attributes.length + fields.length);
};

/** Answers reads in other threads. */
export interface ReadPool {
  /**
   * Answers from a snapshot that is taken after the call. Undefined if no thread can take the read now. Rejects with
   * a LedgerError if a thread refuses or found damage, and with another error, which the pool reports, if it failed.
   */
  read(delegated: DelegatedRead): Promise<EncodedPage> | undefined;
}

/**
 * Most uncommitted records that are sent to another thread with one read. Copying more of them would need more time
 * and memory than the read.
 */
const DELEGATED_RECORDS_MAX = 256;

/** Reads the events of one asset, or of all assets of a tenant. */
export const readEventsOf = <T>(
  reader: SnapshotReader,
  tenantIdentity: string,
  { assetUuid }: EventQuery,
  read: (source: EventSource) => Promise<T>,
): Promise<T> => {
  const readOver = (snapshot: Snapshot, uncommitted: readonly UncommittedRecord[]): Promise<T> =>
    read({ snapshot, tenantIdentity, uncommitted: ofType(uncommitted, 'event') });
  if (assetUuid === undefined) return reader.readTenant(tenantIdentity, readOver);
  return reader.readStream(tenantIdentity, toAssetIdentity(assetUuid), readOver);
};

const readPublicPage = async (
  reader: SnapshotReader,
  tenantIdentity: string,
  query: EventQuery,
  page: PageQuery,
): Promise<Page<EventResource>> => {
  if (filtersPrincipals(query)) return { items: [], nextPosition: undefined, total: page.isCounted ? 0 : undefined };
  if (query.assetUuid === undefined)
    return reader.readTenant(tenantIdentity, (snapshot) => readPublicEventPage(snapshot, query, page));
  const found = await readEventsOf(reader, tenantIdentity, query, (source) => readListedEvents(source, query, page));
  return { ...found, items: found.items.map(withoutPrincipals) };
};

/** Creates the reads in this thread. */
export const createEncodedReads = (reader: SnapshotReader): EncodedReads => ({
  encodeAssetPage: (tenantIdentity, query, page, context) =>
    reader.readTenant(tenantIdentity, async (snapshot, uncommitted) => {
      const source = { snapshot, tenantIdentity, uncommitted: ofType(uncommitted, 'event') };
      const { items, ...rest } = await readListedAssets(source, query, page);
      return { ...rest, json: encodeList(items.map((asset) => toAssetResource(asset, context))) };
    }),
  encodeEventPage: (tenantIdentity, query, page) =>
    readEventsOf(reader, tenantIdentity, query, (source) => encodeEvents(source, query, page)),
  encodePublicEventPage: async (tenantIdentity, query, page) => {
    const { items, ...rest } = await readPublicPage(reader, tenantIdentity, query, page);
    return { ...rest, json: encodeList(items) };
  },
});

const run = (reads: EncodedReads, request: EncodedRequest): Promise<EncodedPage> => {
  if (request.name === 'encodeAssetPage') return reads.encodeAssetPage(...request.given);
  if (request.name === 'encodeEventPage') return reads.encodeEventPage(...request.given);
  return reads.encodePublicEventPage(...request.given);
};

/** Answers a read that another thread has delegated. */
export const answerDelegated = (store: SnapshotSource, { request, uncommitted }: DelegatedRead): Promise<EncodedPage> =>
  run(createEncodedReads(createSnapshotReader({ store, outbox: toUncommittedRecords(uncommitted) })), request);

// The fields that reads use: the outbox keeps more with each record.
const toPlain = ({
  sequence,
  tenantIdentity,
  streamIdentity,
  record,
  status,
  failureReason,
}: UncommittedRecord): UncommittedRecord => ({
  sequence,
  tenantIdentity,
  streamIdentity,
  record,
  status,
  failureReason,
});

const toStream = ([, { assetUuid }]: Parameters<EncodedReads['encodeEventPage']>): string | undefined =>
  assetUuid === undefined ? undefined : toAssetIdentity(assetUuid);

/**
 * Creates the reads by a pool. What no thread takes, and what a thread fails to answer, is read in this thread. The
 * uncommitted records are collected before the snapshot is taken, as in this thread.
 */
export const createDelegatedReads = (
  here: EncodedReads,
  { findMissing }: Pick<OverlaidReader, 'findMissing'>,
  { pool, written }: { pool: ReadPool } & Pick<IndexStore, 'written'>,
): EncodedReads => {
  const read = async (request: EncodedRequest, streamIdentity?: string): Promise<EncodedPage> => {
    const uncommitted = findMissing(request.given[0], streamIdentity);
    if (uncommitted.length > DELEGATED_RECORDS_MAX) return run(here, request);
    await written();
    const answer = pool.read({ request, uncommitted: uncommitted.map(toPlain) });
    if (answer === undefined) return run(here, request);
    return answer.catch((error: unknown) => {
      if (error instanceof LedgerError) throw error;
      return run(here, request);
    });
  };
  return {
    encodeAssetPage: (...given) => read({ name: 'encodeAssetPage', given }),
    encodeEventPage: (...given) => read({ name: 'encodeEventPage', given }, toStream(given)),
    encodePublicEventPage: (...given) => read({ name: 'encodePublicEventPage', given }, toStream(given)),
  };
};
