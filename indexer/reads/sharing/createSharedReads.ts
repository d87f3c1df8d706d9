// The part of the ledger view that reads single shared records: only what the chain has is shared.
import type { SharedView } from '../../sharedView.ts';
import type { SnapshotReader } from '../overlaidReader.ts';
import { readSharedAsset, readSharedEvent } from './sharedRecords.ts';

/** Creates the part of the ledger view that reads single shared records. */
export const createSharedReads = ({ readSnapshot }: Pick<SnapshotReader, 'readSnapshot'>): SharedView => ({
  readSharedAsset: (tenantIdentity, reader, assetUuid, atMs) =>
    readSnapshot((snapshot) => readSharedAsset(snapshot, tenantIdentity, reader, { assetUuid, atMs })),
  readSharedEvent: (tenantIdentity, reader, assetUuid, eventUuid) =>
    readSnapshot((snapshot) => readSharedEvent(snapshot, tenantIdentity, reader, { assetUuid, eventUuid })),
});
