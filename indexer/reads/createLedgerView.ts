// The ledger view: each read uses one snapshot of the index, with the outbox's records over it.
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { fromHex } from '../../ledger/encoding/hex.ts';
import { refuseField } from '../../ledger/errors.ts';
import { toAssetIdentity, toBlobIdentity, toEventIdentity, toKey, toPolicyIdentity } from '../../ledger/identity.ts';
import {
  type AssetSettings,
  type EventRecord,
  type EventResource,
  isAttach,
  isCreation,
} from '../../ledger/records/event.ts';
import * as keys from '../keys.ts';
import type { LedgerView, ListStoredPolicies, PolicyEvents } from '../ledgerView.ts';
import { POLICIES } from '../projection/namedCollections.ts';
import type { Cursor, PublicAssetRow } from '../rows/rows.ts';
import type { ServedView } from '../sharingView.ts';
import type { Snapshot } from '../snapshots.ts';
import type { IndexStore } from '../store.ts';
import { listPublicBlobs, readBlob, readBlobPage } from './blobReads.ts';
import { createListPoliciesAt, findEventAfter } from './blockCut.ts';
import { createLocationReads } from './createLocationReads.ts';
import { createNamedReads, toNamedSource } from './createNamedReads.ts';
import { createDelegatedReads, createEncodedReads, type ReadPool, readEventsOf } from './encodedReads.ts';
import { createExportReads } from './eventExport.ts';
import { createFeedReads } from './eventFeed.ts';
import { guardReads } from './guardReads.ts';
import { readListedAssets, readListedEvents } from './listedPages.ts';
import { listStored } from './namedReads.ts';
import { type CurrentRows, createOverlaidReader, type OverlaidReader } from './overlaidReader.ts';
import { readPastAsset } from './pastAsset.ts';
import { readPolicyEvents } from './policyEvents.ts';
import * as reads from './recordReads.ts';
import { createContributionReads } from './sharing/contributionReads.ts';
import { createSharedReads } from './sharing/createSharedReads.ts';
import { createSharingReads } from './sharing/createSharingReads.ts';
import { createTenancyReads } from './tenancyReads.ts';
import {
  createOverlayRow,
  ofType,
  overlayAsset,
  pending,
  toUncommittedEvents,
  type UncommittedEvent,
  type UncommittedRecord,
  type UncommittedRecords,
} from './uncommitted.ts';

type ViewDeps = {
  store: IndexStore;
  outbox: UncommittedRecords;
  /** Called before each read; throws when none may be answered. */
  assertReadable?: () => void;
  /** Answers pages as JSON in other threads. Without it they are read in this one. */
  pool?: ReadPool | undefined;
};

const readIndexedAsset = (rows: CurrentRows, name: reads.RecordName) => {
  const row = reads.readAssetRow(rows, name);
  return row && reads.toAsset(row);
};

const readAssetAt = async (
  snapshot: Snapshot,
  name: reads.RecordName,
  uncommitted: readonly UncommittedEvent[],
  atMs: number,
  before?: number,
): Promise<Asset | undefined> => {
  const waiting = uncommitted.filter(({ record }) => Date.parse(record.timestamp_accepted) <= atMs);
  return overlayAsset(await readPastAsset(snapshot, name, atMs, before), waiting);
};

// The attachments after an Attach depend on its asset and on the uncommitted events before it; other events depend on
// nothing else.
const readWaitingEvent = (
  rows: CurrentRows,
  assetName: reads.RecordName,
  waiting: readonly UncommittedEvent[],
  identity: string,
): EventResource | undefined => {
  const entry = waiting.find(({ record }) => record.identity === identity)!;
  const indexed = isAttach(entry.record) ? readIndexedAsset(rows, assetName) : undefined;
  return toUncommittedEvents(indexed, waiting).find((event) => event.identity === identity);
};

const createAssetReads = (
  reader: OverlaidReader,
  overlayRow = createOverlayRow(reads.toAsset),
): Pick<LedgerView, 'readAsset' | 'readAssetAt' | 'readCreatedAsset' | 'readEvent' | 'listAssets' | 'listEvents'> => ({
  readAsset: async (tenantIdentity, assetUuid) => {
    const identity = toAssetIdentity(assetUuid);
    return reader.readRows(tenantIdentity, identity, (rows, uncommitted) =>
      overlayRow(reads.readAssetRow(rows, { tenantIdentity, identity }), ofType(uncommitted, 'event')),
    );
  },
  readAssetAt: (tenantIdentity, assetUuid, atMs) => {
    const identity = toAssetIdentity(assetUuid);
    return reader.readStream(tenantIdentity, identity, (snapshot, uncommitted) =>
      readAssetAt(snapshot, { tenantIdentity, identity }, ofType(uncommitted, 'event'), atMs),
    );
  },
  readCreatedAsset: async (tenantIdentity, assetUuid) => {
    const identity = toAssetIdentity(assetUuid);
    return reader.readRows(tenantIdentity, identity, (rows, uncommitted) => {
      const creation = ofType(uncommitted, 'event').filter(({ record }) => isCreation(record));
      return overlayAsset(reads.readCreatedAsset(rows, { tenantIdentity, identity }), creation);
    });
  },
  readEvent: async (tenantIdentity, assetUuid, eventUuid) => {
    const streamIdentity = toAssetIdentity(assetUuid);
    const identity = toEventIdentity(assetUuid, eventUuid);
    return reader.readRows(tenantIdentity, streamIdentity, (rows, uncommitted) => {
      const waiting = ofType(uncommitted, 'event');
      return waiting.some(({ record }) => record.identity === identity)
        ? readWaitingEvent(rows, { tenantIdentity, identity: streamIdentity }, waiting, identity)
        : reads.readIndexedEvent(rows, { tenantIdentity, identity });
    });
  },
  listAssets: (tenantIdentity, query, page) =>
    reader.readTenant(tenantIdentity, (snapshot, uncommitted) =>
      readListedAssets({ snapshot, tenantIdentity, uncommitted: ofType(uncommitted, 'event') }, query, page),
    ),
  listEvents: (tenantIdentity, query, page) =>
    readEventsOf(reader, tenantIdentity, query, (source) => readListedEvents(source, query, page)),
});

const POLICY_READS = { type: 'policy', of: POLICIES, toIdentity: toPolicyIdentity } as const;

interface JudgedAsset {
  readonly snapshot: Snapshot;
  readonly tenantIdentity: string;
  readonly identity: string;
  readonly atMs: number;
  readonly atBlock: number | undefined;
}

// The block up to which a snapshot is complete, or an earlier one.
const toJudgedBlock = (snapshot: Snapshot, atBlock: number | undefined, waiting: readonly UncommittedRecord[]) => {
  const cursor = snapshot.read(keys.cursorKey()) as Cursor | undefined;
  const newest = { number: cursor?.blockNumber ?? 0, hash: cursor?.blockHash };
  if (atBlock === undefined || atBlock === newest.number) return pending(waiting).length > 0 ? undefined : newest;
  if (atBlock < newest.number) return { number: atBlock, hash: undefined };
  throw refuseField('REQUEST_INVALID', 'at_block', `is after the newest final block, ${newest.number}`);
};

const readJudgedEvents = async (
  { snapshot, tenantIdentity, identity, atMs, atBlock }: JudgedAsset,
  entries: readonly UncommittedRecord[],
  choose: Parameters<LedgerView['readPolicyEvents']>[3],
): Promise<PolicyEvents | undefined> => {
  const block = toJudgedBlock(snapshot, atBlock, entries);
  const tenantKey = toKey(tenantIdentity);
  const before = atBlock === undefined ? undefined : findEventAfter(snapshot, tenantKey, atBlock);
  const uncommitted = ofType(entries, 'event');
  const asset = await readAssetAt(snapshot, { tenantIdentity, identity }, uncommitted, atMs, before);
  if (asset === undefined) return undefined;
  const source = { snapshot, tenantIdentity, identity, uncommitted, before };
  const policies = toNamedSource(POLICY_READS, tenantIdentity, snapshot, entries);
  const listPolicies: ListStoredPolicies =
    atBlock === undefined ? (page) => listStored(policies, page) : createListPoliciesAt(snapshot, tenantKey, atBlock);
  const ranges = await choose(asset, listPolicies);
  return { asset, block, ...(await readPolicyEvents(source, ranges, atMs)) };
};

const createPolicyReads = (
  reader: OverlaidReader,
): Pick<
  LedgerView,
  'readPolicy' | 'readNewestPolicy' | 'readPolicyVersion' | 'listPolicies' | 'listStoredPolicies' | 'readPolicyEvents'
> => {
  const policies = createNamedReads(reader, POLICY_READS);
  return {
    readPolicy: policies.read,
    readNewestPolicy: policies.readNewest,
    readPolicyVersion: policies.readVersion,
    listPolicies: (tenantIdentity, query, page) => policies.list(tenantIdentity, { ...query, attributes: [] }, page),
    listStoredPolicies: policies.listStored,
    readPolicyEvents: (tenantIdentity, assetUuid, atMs, choose, atBlock) => {
      const identity = toAssetIdentity(assetUuid);
      const isNeeded = (entry: UncommittedRecord): boolean =>
        atBlock === undefined && (entry.streamIdentity === identity || entry.record.type === 'policy');
      return reader.readSome(tenantIdentity, isNeeded, (snapshot, entries) =>
        readJudgedEvents({ snapshot, tenantIdentity, identity, atMs, atBlock }, entries, choose),
      );
    },
  };
};

const createBlobReads = (
  reader: OverlaidReader,
  { store, outbox }: ViewDeps,
): Pick<LedgerView, 'readBlob' | 'listBlobs' | 'isContentKnown' | 'readBlobBytes'> => ({
  readBlob: (tenantIdentity, blobUuid) => {
    const streamIdentity = toBlobIdentity(blobUuid);
    return reader.readStream(tenantIdentity, streamIdentity, (snapshot, uncommitted) =>
      readBlob({ snapshot, tenantIdentity, uncommitted: ofType(uncommitted, 'blob') }, streamIdentity),
    );
  },
  listBlobs: (tenantIdentity, query, page) =>
    reader.readTenant(tenantIdentity, (snapshot, uncommitted) => {
      const source = { snapshot, tenantIdentity };
      const blobs = { ...source, uncommitted: ofType(uncommitted, 'blob') };
      return readBlobPage(blobs, { ...source, uncommitted: ofType(uncommitted, 'event') }, query, page);
    }),
  isContentKnown: async (tenantIdentity, sha256) =>
    store.read(keys.contentKey(toKey(tenantIdentity), fromHex(`0x${sha256}`))) !== undefined ||
    ofType(pending(outbox.readTenant(tenantIdentity)), 'blob').some(({ record }) => record.sha256 === sha256),
  // The outbox is read before the index, so that a blob that moves from the one to the other is not missed.
  readBlobBytes: async (tenantIdentity) => {
    const waiting = ofType(pending(outbox.readTenant(tenantIdentity)), 'blob');
    const missing = waiting.filter(({ record: { identity } }) => !reads.isIndexed(store, { tenantIdentity, identity }));
    const indexed = store.read(keys.blobBytesKey(toKey(tenantIdentity))) as number | undefined;
    return missing.reduce((sum, { record }) => sum + record.size, indexed ?? 0);
  },
});

const isPublicCreation = (record: EventRecord): boolean =>
  isCreation(record) && (record.asset_settings as AssetSettings).public;

const createPublicReads = (
  { store, outbox }: ViewDeps,
  { readSnapshot }: Pick<OverlaidReader, 'readSnapshot'>,
): Pick<LedgerView, 'readPublicTenant' | 'listPublicBlobs'> => ({
  listPublicBlobs: (query, page) => readSnapshot((snapshot) => listPublicBlobs(snapshot, query, page)),
  readPublicTenant: async (assetUuid) => {
    const identity = toAssetIdentity(assetUuid);
    const row = store.read(keys.publicAssetKey(toKey(identity))) as PublicAssetRow | undefined;
    if (row !== undefined) return row.tenant;
    const ofAsset = ofType(outbox.readStreamOfAll(identity), 'event');
    return ofAsset.find(({ record }) => isPublicCreation(record))?.tenantIdentity;
  },
});

/** Creates the view of an index and an outbox. */
export const createLedgerView = (deps: ViewDeps): ServedView => {
  const reader = createOverlaidReader(deps);
  const encoded = createEncodedReads(reader);
  const view: Omit<ServedView, 'watchIndex'> = {
    ...createAssetReads(reader),
    ...(deps.pool === undefined
      ? encoded
      : createDelegatedReads(encoded, reader, { pool: deps.pool, written: deps.store.written })),
    ...createLocationReads(reader),
    ...createPolicyReads(reader),
    ...createBlobReads(reader, deps),
    ...createPublicReads(deps, reader),
    ...createExportReads(deps.store),
    ...createFeedReads(reader),
    ...createTenancyReads(deps, reader),
    ...createSharedReads(reader),
    ...createSharingReads(reader),
    ...createContributionReads(reader),
    isConflicting: async (tenantIdentity, identity) =>
      deps.store.read(keys.conflictKey(toKey(tenantIdentity), toKey(identity))) !== undefined,
  };
  return { ...guardReads(view, deps.store, deps.assertReadable), watchIndex: deps.store.watch };
};
