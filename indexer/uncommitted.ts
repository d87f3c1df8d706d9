// The records that are accepted but not in the index: what the outbox holds, laid over what the index says.
import { type AssetSettings, applyEvent, createAssetState } from '../ledger/asset.ts';
import { type EventRecord, isCreation } from '../ledger/eventRecord.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { type Asset, type EventResource, toEventResource, toUncommitted } from '../ledger/resources.ts';

/** A record that waits for the chain (PENDING) or was refused by it (FAILED). */
export interface UncommittedRecord {
  /** Order of acceptance. */
  readonly sequence: number;
  readonly tenantIdentity: string;
  readonly streamIdentity: string;
  readonly record: LedgerRecord;
  readonly status: 'PENDING' | 'FAILED';
}

/** What the view needs of the outbox. Oldest first. */
export interface UncommittedRecords {
  readEntries(): readonly UncommittedRecord[];
  readStream(tenantIdentity: string, streamIdentity: string): readonly UncommittedRecord[];
}

export interface UncommittedEvent extends UncommittedRecord {
  readonly record: EventRecord;
}

/** Whether an uncommitted record is an event. */
export const isUncommittedEvent = (entry: UncommittedRecord): entry is UncommittedEvent =>
  entry.record.type === 'event';

export const toUncommittedEvent = (entry: UncommittedEvent): EventResource =>
  toEventResource(entry.record, entry.tenantIdentity, toUncommitted(entry.status));

const createUncommittedAsset = (entry: UncommittedEvent): Asset => ({
  identity: entry.streamIdentity,
  tenant_identity: entry.tenantIdentity,
  owner: '',
  confirmation_status: entry.status,
  state: createAssetState(entry.record.asset_settings as AssetSettings, entry.record.asset_attributes),
});

const applyUncommitted = (asset: Asset | undefined, entry: UncommittedEvent): Asset | undefined => {
  if (asset === undefined) return isCreation(entry.record) ? createUncommittedAsset(entry) : undefined;
  return entry.status === 'FAILED' ? asset : { ...asset, state: applyEvent(asset.state, entry.record) };
};

/** The asset with the uncommitted events of its stream applied; a refused event changes nothing. */
export const overlayAsset = (asset: Asset | undefined, entries: readonly UncommittedRecord[]): Asset | undefined =>
  entries.filter(isUncommittedEvent).reduce(applyUncommitted, asset);
