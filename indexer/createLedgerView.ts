// The reads that the server is given: the outbox over one snapshot of the index. The outbox is looked at first, so that a
// record on its way from the one to the other is seen in both and shown once, never missed.
import { isCreation } from '../ledger/eventRecord.ts';
import { toApplicationIdentity, toAssetIdentity, toEventIdentity, toKey } from '../ledger/identity.ts';
import { keccak256 } from '../ledger/keccak.ts';
import type { EventResource } from '../ledger/resources.ts';
import * as keys from './keys.ts';
import type { LedgerView } from './ledgerView.ts';
import { readPage } from './listReads.ts';
import * as reads from './recordReads.ts';
import type { ApplicationRow, TenantRow } from './rows.ts';
import type { IndexStore, Snapshot } from './store.ts';
import {
  isUncommittedEvent,
  overlayAsset,
  toUncommittedEvent,
  type UncommittedEvent,
  type UncommittedRecord,
  type UncommittedRecords,
} from './uncommitted.ts';

const withoutIndexed = async (
  snapshot: Snapshot,
  entries: readonly UncommittedRecord[],
): Promise<UncommittedEvent[]> => {
  const events = entries.filter(isUncommittedEvent);
  const names = events.map(({ tenantIdentity, record }) => ({ tenantIdentity, identity: record.identity }));
  const rows = events.length === 0 ? [] : await reads.readRecordRows(snapshot, names);
  return events.filter((_, at) => rows[at] === undefined);
};

/** The view over an index and an outbox. */
export const createLedgerView = (deps: { store: IndexStore; outbox: UncommittedRecords }): LedgerView => {
  const { store, outbox } = deps;

  // Runs a read on the uncommitted events of one stream (or of the tenant) that are not in the snapshot, oldest first.
  const withSnapshot = async <T>(
    entries: readonly UncommittedRecord[],
    read: (snapshot: Snapshot, uncommitted: UncommittedEvent[]) => Promise<T>,
  ): Promise<T> => {
    const snapshot = store.snapshot();
    try {
      return await read(snapshot, await withoutIndexed(snapshot, entries));
    } finally {
      await snapshot.close();
    }
  };
  const ofTenant = (tenantIdentity: string): readonly UncommittedRecord[] =>
    outbox.readEntries().filter((entry) => entry.tenantIdentity === tenantIdentity);

  return {
    readAsset: (tenantIdentity, assetUuid) => {
      const identity = toAssetIdentity(assetUuid);
      return withSnapshot(outbox.readStream(tenantIdentity, identity), async (snapshot, uncommitted) =>
        overlayAsset(await reads.readIndexedAsset(snapshot, { tenantIdentity, identity }), uncommitted),
      );
    },
    readCreatedAsset: (tenantIdentity, assetUuid) => {
      const identity = toAssetIdentity(assetUuid);
      return withSnapshot(outbox.readStream(tenantIdentity, identity), async (snapshot, uncommitted) => {
        const creation = uncommitted.filter(({ record }) => isCreation(record));
        return overlayAsset(await reads.readCreatedAsset(snapshot, { tenantIdentity, identity }), creation);
      });
    },
    readEvent: (tenantIdentity, assetUuid, eventUuid) => {
      const identity = toEventIdentity(assetUuid, eventUuid);
      const entries = outbox.readStream(tenantIdentity, toAssetIdentity(assetUuid));
      return withSnapshot(entries, async (snapshot, uncommitted): Promise<EventResource | undefined> => {
        const entry = uncommitted.find(({ record }) => record.identity === identity);
        return entry ? toUncommittedEvent(entry) : reads.readIndexedEvent(snapshot, { tenantIdentity, identity });
      });
    },
    listAssets: (tenantIdentity, page) =>
      withSnapshot(ofTenant(tenantIdentity), (snapshot, uncommitted) =>
        readPage(
          {
            snapshot,
            list: keys.trackedAssets(toKey(tenantIdentity)),
            uncommitted: uncommitted.filter(({ record }) => isCreation(record)).reverse(),
            toItem: (entry) => overlayAsset(undefined, [entry])!,
            readItems: (entries) => reads.readListedAssets(snapshot, tenantIdentity, entries),
          },
          page,
        ),
      ),
    listEvents: (tenantIdentity, assetUuid, page) => {
      const tenantKey = toKey(tenantIdentity);
      const stream = assetUuid === undefined ? undefined : toAssetIdentity(assetUuid);
      const entries = stream === undefined ? ofTenant(tenantIdentity) : outbox.readStream(tenantIdentity, stream);
      return withSnapshot(entries, (snapshot, uncommitted) =>
        readPage(
          {
            snapshot,
            list: stream === undefined ? keys.eventsOfTenant(tenantKey) : keys.eventsOfAsset(tenantKey, toKey(stream)),
            uncommitted: uncommitted.reverse(),
            toItem: toUncommittedEvent,
            readItems: (listed) => reads.readListedEvents(snapshot, tenantIdentity, listed),
          },
          page,
        ),
      );
    },
    readTenant: async (tenantIdentity) => {
      const [row] = await store.readMany([keys.tenantRowKey(toKey(tenantIdentity))]);
      return (row as TenantRow | undefined)?.tenant;
    },
    readTenantIdentity: async (displayName) => {
      const [row] = await store.readMany([keys.tenantNameKey(keccak256(Buffer.from(displayName)))]);
      return row as string | undefined;
    },
    readApplication: async (clientId) => {
      const [row] = await store.readMany([keys.applicationKey(toKey(toApplicationIdentity(clientId)))]);
      return row as ApplicationRow | undefined;
    },
  };
};
