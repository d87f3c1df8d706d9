// The reads that the server is given: the outbox over one snapshot of the index.
import { isCreation } from '../ledger/eventRecord.ts';
import { toAssetIdentity, toEventIdentity, toKey } from '../ledger/identity.ts';
import type { EventResource } from '../ledger/resources.ts';
import * as keys from './keys.ts';
import type { LedgerView, Page } from './ledgerView.ts';
import { readPage } from './listReads.ts';
import { createOverlaidReader, type OverlaidRead, type OverlaidReader } from './overlaidReader.ts';
import * as reads from './recordReads.ts';
import type { IndexStore } from './store.ts';
import { createTenancyReads } from './tenancyReads.ts';
import { overlayAsset, toUncommittedEvent, type UncommittedRecords } from './uncommitted.ts';

const createSingleReads = (
  reader: OverlaidReader,
): Pick<LedgerView, 'readAsset' | 'readCreatedAsset' | 'readEvent'> => ({
  readAsset: (tenantIdentity, assetUuid) => {
    const identity = toAssetIdentity(assetUuid);
    return reader.readStream(tenantIdentity, identity, (snapshot, uncommitted) =>
      overlayAsset(reads.readIndexedAsset(snapshot, { tenantIdentity, identity }), uncommitted),
    );
  },
  readCreatedAsset: (tenantIdentity, assetUuid) => {
    const identity = toAssetIdentity(assetUuid);
    return reader.readStream(tenantIdentity, identity, (snapshot, uncommitted) => {
      const creation = uncommitted.filter(({ record }) => isCreation(record));
      return overlayAsset(reads.readCreatedAsset(snapshot, { tenantIdentity, identity }), creation);
    });
  },
  readEvent: (tenantIdentity, assetUuid, eventUuid) => {
    const identity = toEventIdentity(assetUuid, eventUuid);
    return reader.readStream(tenantIdentity, toAssetIdentity(assetUuid), (snapshot, uncommitted) => {
      const entry = uncommitted.find(({ record }) => record.identity === identity);
      return entry ? toUncommittedEvent(entry) : reads.readIndexedEvent(snapshot, { tenantIdentity, identity });
    });
  },
});

const createListReads = (reader: OverlaidReader): Pick<LedgerView, 'listAssets' | 'listEvents'> => ({
  listAssets: (tenantIdentity, page) =>
    reader.readTenant(tenantIdentity, (snapshot, uncommitted) => {
      const ofStream = Map.groupBy(uncommitted, ({ streamIdentity }) => streamIdentity);
      const source = {
        snapshot,
        tenantIdentity,
        list: keys.trackedAssets(toKey(tenantIdentity)),
        uncommitted: uncommitted.filter(({ record }) => isCreation(record)).reverse(),
      };
      return readPage(source, page, {
        toItem: ({ streamIdentity }) => overlayAsset(undefined, ofStream.get(streamIdentity)!)!,
        readItems: (entries) =>
          reads
            .readListedAssets(snapshot, tenantIdentity, entries)
            .map((asset) => overlayAsset(asset, ofStream.get(asset.identity) ?? [])!),
      });
    }),
  listEvents: (tenantIdentity, assetUuid, page) => {
    const tenantKey = toKey(tenantIdentity);
    const stream = assetUuid === undefined ? undefined : toAssetIdentity(assetUuid);
    const list = stream === undefined ? keys.eventsOfTenant(tenantKey) : keys.eventsOfAsset(tenantKey, toKey(stream));
    const read: OverlaidRead<Page<EventResource>> = (snapshot, uncommitted) =>
      readPage({ snapshot, tenantIdentity, list, uncommitted: uncommitted.reverse() }, page, {
        toItem: toUncommittedEvent,
        readItems: (entries) => reads.readListedEvents(snapshot, tenantIdentity, entries),
      });
    return stream === undefined
      ? reader.readTenant(tenantIdentity, read)
      : reader.readStream(tenantIdentity, stream, read);
  },
});

/** The view over an index and an outbox. */
export const createLedgerView = (deps: { store: IndexStore; outbox: UncommittedRecords }): LedgerView => {
  const reader = createOverlaidReader(deps);
  return { ...createSingleReads(reader), ...createListReads(reader), ...createTenancyReads(deps) };
};
