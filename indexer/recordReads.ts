// Reads of rows from one snapshot of the index, turned into resources.
import { type AssetSettings, createAssetState } from '../ledger/asset.ts';
import { fromHex } from '../ledger/hex.ts';
import { toKey } from '../ledger/identity.ts';
import { isPayloadOf, type LedgerRecord } from '../ledger/record.ts';
import { type Asset, type Commitment, type EventResource, toEventResource } from '../ledger/resources.ts';
import * as keys from './keys.ts';
import type { AssetRow, RecordRow, Row } from './rows.ts';
import type { Snapshot } from './store.ts';

/** Names one record: identities are unique within a tenant. */
export interface RecordName {
  readonly tenantIdentity: string;
  readonly identity: string;
}

const toRecordKey = ({ tenantIdentity, identity }: RecordName): Buffer =>
  keys.recordKey(toKey(tenantIdentity), toKey(identity));

const toAsset = ({ identity, tenant_identity, owner, confirmation_status, state }: AssetRow): Asset => ({
  identity,
  tenant_identity,
  owner,
  confirmation_status,
  state,
});

/** Rows of records, in order; undefined for those that the index doesn't have. */
export const readRecordRows = (
  source: Pick<Snapshot, 'readMany'>,
  names: readonly RecordName[],
): (RecordRow | undefined)[] => source.readMany(names.map(toRecordKey)) as (RecordRow | undefined)[];

/** Commitments of records, in order; undefined for those that the index doesn't have with this very payload. */
export const readCommitments = (
  source: Pick<Snapshot, 'readMany'>,
  records: readonly { tenantIdentity: string; record: LedgerRecord; payload: Uint8Array }[],
): (Commitment | undefined)[] => {
  const names = records.map(({ tenantIdentity, record }) => ({ tenantIdentity, identity: record.identity }));
  const rows = readRecordRows(source, names);
  return rows.map((row, at) =>
    row !== undefined && isPayloadOf(row.record, records[at]!.payload) ? row.commitment : undefined,
  );
};

const toEvent = (row: Row | undefined, tenantIdentity: string): EventResource | undefined => {
  const { record, commitment } = (row ?? {}) as Partial<RecordRow>;
  if (record?.type !== 'event' || commitment === undefined) return undefined;
  return toEventResource(record, tenantIdentity, commitment);
};

/** An event; undefined when the index has none of this identity. */
export const readIndexedEvent = (snapshot: Snapshot, name: RecordName): EventResource | undefined =>
  toEvent(snapshot.read(toRecordKey(name)), name.tenantIdentity);

const readAssetRow = (snapshot: Snapshot, name: RecordName): AssetRow | undefined =>
  snapshot.read(keys.assetKey(toKey(name.tenantIdentity), toKey(name.identity))) as AssetRow | undefined;

/** An asset as the index has it; undefined when it has none of this identity. */
export const readIndexedAsset = (snapshot: Snapshot, name: RecordName): Asset | undefined => {
  const row = readAssetRow(snapshot, name);
  return row && toAsset(row);
};

/** An asset as its creation left it. */
export const readCreatedAsset = (snapshot: Snapshot, name: RecordName): Asset | undefined => {
  const row = readAssetRow(snapshot, name);
  if (row === undefined) return undefined;
  const key = keys.recordKey(toKey(name.tenantIdentity), fromHex(row.creationKey));
  const event = toEvent(snapshot.read(key), name.tenantIdentity);
  if (event === undefined) throw new Error(`the index has ${name.identity} without its creation`);
  return { ...toAsset(row), state: createAssetState(event.asset_settings as AssetSettings, event.asset_attributes) };
};

const targetsOf = (entries: readonly [Buffer, Row][]): Uint8Array[] =>
  entries.map(([, target]) => fromHex(target as string));

/** The events that entries of one of the tenant's event lists point to. */
export const readListedEvents = (
  snapshot: Snapshot,
  tenantIdentity: string,
  entries: readonly [Buffer, Row][],
): EventResource[] => {
  const tenantKey = toKey(tenantIdentity);
  const rows = snapshot.readMany(targetsOf(entries).map((key) => keys.recordKey(tenantKey, key)));
  return rows.map((row) => toEvent(row, tenantIdentity)!);
};

/** The assets that entries of one of the tenant's asset lists point to. */
export const readListedAssets = (
  snapshot: Snapshot,
  tenantIdentity: string,
  entries: readonly [Buffer, Row][],
): Asset[] => {
  const tenantKey = toKey(tenantIdentity);
  const rows = snapshot.readMany(targetsOf(entries).map((key) => keys.assetKey(tenantKey, key)));
  return rows.map((row) => toAsset(row as AssetRow));
};
