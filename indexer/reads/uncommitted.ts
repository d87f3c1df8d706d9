// Records that are accepted but not in the index: those of the outbox, applied to the state that the index has.
import { applyEvent, createAssetState } from '../../ledger/assets/asset.ts';
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { type FailureReason, toUncommitted } from '../../ledger/records/commitment.ts';
import {
  type AssetSettings,
  type EventRecord,
  type EventResource,
  isAttach,
  isCreation,
  toEventResource,
} from '../../ledger/records/event.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { isReplacing } from '../../ledger/records/version.ts';
import type { AssetRow } from '../rows/rows.ts';

/** A record that is not committed yet (PENDING) or was refused by the chain (FAILED). */
export interface UncommittedRecord<R extends LedgerRecord = LedgerRecord> {
  /** Its position in the order of acceptance. */
  readonly sequence: number;
  readonly tenantIdentity: string;
  readonly streamIdentity: string;
  readonly record: R;
  readonly status: 'PENDING' | 'FAILED';
  /** Why the chain refused the record, if it is FAILED. */
  readonly failureReason?: FailureReason | undefined;
}

/** The part of the outbox that reads use. Records are oldest first. */
export interface UncommittedRecords {
  readEntries(): readonly UncommittedRecord[];
  readTenant(tenantIdentity: string): readonly UncommittedRecord[];
  /** Those of a stream, of whichever tenant. */
  readStreamOfAll(streamIdentity: string): readonly UncommittedRecord[];
  readStream(tenantIdentity: string, streamIdentity: string): readonly UncommittedRecord[];
}

/** Records as the source of reads that need no others. */
export const toUncommittedRecords = (records: readonly UncommittedRecord[]): UncommittedRecords => ({
  readEntries: () => records,
  readTenant: () => records,
  readStreamOfAll: () => records,
  readStream: () => records,
});

/** An uncommitted event. */
export type UncommittedEvent = UncommittedRecord<EventRecord>;

const isOfType = <T extends LedgerRecord['type']>(
  entry: UncommittedRecord,
  type: T,
): entry is UncommittedRecord<Extract<LedgerRecord, { type: T }>> => entry.record.type === type;

/** The uncommitted records of a type. */
export const ofType = <T extends LedgerRecord['type']>(
  entries: readonly UncommittedRecord[],
  type: T,
): UncommittedRecord<Extract<LedgerRecord, { type: T }>>[] => entries.filter((entry) => isOfType(entry, type));

/** The records that the chain has not refused. */
export const pending = <R extends LedgerRecord>(entries: readonly UncommittedRecord<R>[]): UncommittedRecord<R>[] =>
  entries.filter(({ status }) => status === 'PENDING');

/**
 * Without the versions that will change nothing, because they follow another one than that which holds: the indexed
 * one, or an uncommitted one before them. `entries`: those of one stream. Versions that the chain refused stay.
 */
export const withoutConflicts = <R extends LedgerRecord>(
  entries: readonly UncommittedRecord<R>[],
  indexed: R | undefined,
): UncommittedRecord<R>[] => {
  let held = indexed;
  return entries.filter(({ status, record }) => {
    if (status === 'FAILED') return true;
    if (!isReplacing(record, held)) return false;
    held = record;
    return true;
  });
};

/** The newest version of a stream that the chain has not refused: an uncommitted one, or the indexed one. */
export const newestVersion = <R extends LedgerRecord>(
  entries: readonly UncommittedRecord<R>[],
  indexed: R | undefined,
): R | undefined => pending(withoutConflicts(entries, indexed)).at(-1)?.record ?? indexed;

const createUncommittedAsset = (entry: UncommittedEvent): Asset => ({
  identity: entry.streamIdentity,
  tenant_identity: entry.tenantIdentity,
  owner: '',
  confirmation_status: entry.status,
  ...(entry.failureReason !== undefined && { failure_reason: entry.failureReason }),
  state: createAssetState(entry.record.asset_settings as AssetSettings, entry.record.asset_attributes),
});

const applyUncommitted = (asset: Asset | undefined, entry: UncommittedEvent): Asset | undefined => {
  if (asset === undefined) return isCreation(entry.record) ? createUncommittedAsset(entry) : undefined;
  return entry.status === 'FAILED' ? asset : { ...asset, state: applyEvent(asset.state, entry.record) };
};

/**
 * The asset with the uncommitted events of its stream applied. A refused event changes nothing; a refused creation
 * creates a FAILED asset.
 */
export const overlayAsset = (asset: Asset | undefined, entries: readonly UncommittedEvent[]): Asset | undefined =>
  entries.reduce(applyUncommitted, asset);

/** Overlays the asset of a row with the uncommitted events of its stream, as `overlayAsset` does. */
export type OverlayRow = (row: AssetRow | undefined, entries: readonly UncommittedEvent[]) => Asset | undefined;

interface OverlaidAsset {
  readonly row: AssetRow | undefined;
  readonly entries: readonly UncommittedEvent[];
  readonly asset: Asset | undefined;
}

const isPrefix = (prefix: readonly unknown[], all: readonly unknown[]): boolean =>
  prefix.length <= all.length && prefix.every((entry, at) => entry === all[at]);

/**
 * Creates an overlay that continues from its last result for the same first event, if the row is the same and events
 * were only added: an asset with thousands of events that wait for the chain is read by each request that adds one.
 */
export const createOverlayRow = (toAsset: (row: AssetRow) => Asset): OverlayRow => {
  const last = new WeakMap<UncommittedEvent, OverlaidAsset>();
  const continueFrom = (known: OverlaidAsset | undefined, { row, entries }: Omit<OverlaidAsset, 'asset'>) =>
    known !== undefined && known.row === row && isPrefix(known.entries, entries)
      ? overlayAsset(known.asset, entries.slice(known.entries.length))
      : overlayAsset(row && toAsset(row), entries);
  return (row, entries) => {
    const [first] = entries;
    if (first === undefined) return row && toAsset(row);
    const asset = continueFrom(last.get(first), { row, entries });
    last.set(first, { row, entries, asset });
    return asset;
  };
};

const toUncommittedEvent = (
  { record, tenantIdentity, status, failureReason }: UncommittedEvent,
  asset: Asset | undefined,
): EventResource => {
  const attachmentsAfter = isAttach(record) ? asset?.state.attributes.arc_attachments : undefined;
  return toEventResource(record, tenantIdentity, toUncommitted(status, failureReason), attachmentsAfter);
};

/**
 * The uncommitted events of one stream as the API shows them, in the same order. `indexed`: their asset without them.
 */
export const toUncommittedEvents = (
  indexed: Asset | undefined,
  entries: readonly UncommittedEvent[],
): EventResource[] => {
  let asset = indexed;
  return entries.map((entry) => {
    asset = applyUncommitted(asset, entry);
    return toUncommittedEvent(entry, asset);
  });
};
