// The part of the ledger view that reads single shared records: only what the chain has is shared.
import type { SharedView } from '../../sharedView.ts';
import type { SnapshotReader } from '../overlaidReader.ts';
import { readSharedAsset, readSharedEvent } from './sharedRecords.ts';

/** Creates the part of the ledger view that reads single shared records. */
export const createSharedReads = ({ readSnapshot }: Pick<SnapshotReader, 'readSnapshot'>): SharedView => ({
  readSharedAsset: (tenantIdentity, reader, name, atMs) =>
    readSnapshot((snapshot) => readSharedAsset(snapshot, tenantIdentity, reader, { name, atMs })),
  readSharedEvent: (tenantIdentity, reader, name, eventUuid) =>
    readSnapshot((snapshot) => readSharedEvent(snapshot, tenantIdentity, reader, { name, eventUuid })),
});
