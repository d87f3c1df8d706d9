// Reads of single records, assets and members from one snapshot of the index.
import { createAssetState } from '../../ledger/assets/asset.ts';
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { toKey } from '../../ledger/identity.ts';
import type { Commitment } from '../../ledger/records/commitment.ts';
import { toContributionResource } from '../../ledger/records/contribution.ts';
import {
  type AssetSettings,
  type EventRecord,
  type EventResource,
  toEventResource,
} from '../../ledger/records/event.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { createMissingRowError } from '../damage.ts';
import * as keys from '../keys.ts';
import { decodeCommitment, decodeRecord, decodeRecordRow, isRowOfPayload } from '../rows/recordRow.ts';
import { type AssetRow, decodeEventNumber, decodeMember, type RecordBytesRow, type Row } from '../rows/rows.ts';
import { contributionKey } from '../sharingKeys.ts';
import type { Snapshot } from '../snapshots.ts';

/** Identifies one record: identities are unique within a tenant. */
export interface RecordName {
  readonly tenantIdentity: string;
  readonly identity: string;
}

type RowSource = Pick<Snapshot, 'read'>;

const toRecordKey = ({ tenantIdentity, identity }: RecordName): Buffer =>
  keys.recordKey(toKey(tenantIdentity), toKey(identity));

/** The asset of a row. */
export const toAsset = ({ identity, tenant_identity, owner, confirmation_status, state }: AssetRow): Asset => ({
  identity,
  tenant_identity,
  owner,
  confirmation_status,
  state,
});

/** Whether the index contains a record. */
export const isIndexed = (source: RowSource, name: RecordName): boolean => source.read(toRecordKey(name)) !== undefined;

const readContributionNumber = (source: RowSource, { tenantIdentity, identity }: RecordName): number | undefined => {
  const row = source.read(contributionKey(toKey(tenantIdentity), toKey(identity))) as Uint8Array | undefined;
  return row && decodeEventNumber(row);
};

/**
 * The number of an event of one of the tenant's assets; undefined if the index has no event with this identity. Of two,
 * it is that of the earlier, which another tenant contributed.
 */
export const readEventNumber = (source: RowSource, name: RecordName): number | undefined => {
  const contributed = readContributionNumber(source, name);
  if (contributed !== undefined) return contributed;
  const row = source.read(toRecordKey(name)) as Uint8Array | undefined;
  return row && decodeEventNumber(row);
};

/**
 * The row of an event by its number, which another row refers to.
 * @throws LedgerError INDEX_DAMAGED if there is none.
 */
export const readNumbered = (source: RowSource, tenantKey: Uint8Array, number: number): Uint8Array => {
  const key = keys.memberKey(tenantKey, 'events', number);
  const row = source.read(key);
  if (row === undefined) throw createMissingRowError(key);
  return row as Uint8Array;
};

/**
 * Rows that other rows refer to, by their keys.
 * @throws LedgerError INDEX_DAMAGED if one is missing.
 */
export const readReferenced = async (snapshot: Snapshot, names: readonly Buffer[]): Promise<Row[]> => {
  const rows = await snapshot.readMany(names);
  const missing = rows.indexOf(undefined);
  if (missing >= 0) throw createMissingRowError(names[missing]!);
  return rows as Row[];
};

const readRecordRow = (source: RowSource, name: RecordName): Uint8Array | undefined => {
  const row = source.read(toRecordKey(name)) as Uint8Array | undefined;
  const number = row && decodeEventNumber(row);
  return number === undefined ? row : readNumbered(source, toKey(name.tenantIdentity), number);
};

interface RequestedRecord {
  readonly tenantIdentity: string;
  readonly record: LedgerRecord;
  readonly payload: Uint8Array;
}

const readPlaces = (
  source: RowSource,
  records: readonly RequestedRecord[],
  hasPayload: boolean,
): (Commitment | undefined)[] =>
  records.map(({ tenantIdentity, record: { identity }, payload }) => {
    const row = readRecordRow(source, { tenantIdentity, identity });
    return row !== undefined && isRowOfPayload(row, payload) === hasPayload ? decodeCommitment(row) : undefined;
  });

/** The commitments of records, in order; undefined for those that the index does not have with exactly this payload. */
export const readCommitments = (source: RowSource, records: readonly RequestedRecord[]): (Commitment | undefined)[] =>
  readPlaces(source, records, true);

/** The commitments of records with the same identities and other payloads, in order; undefined where there is none. */
export const readOthers = (source: RowSource, records: readonly RequestedRecord[]): (Commitment | undefined)[] =>
  readPlaces(source, records, false);

/** The payload bytes of a tenant's records on a day (UTC, days since 1970), by the times of their blocks. */
export const readRecordBytes = (source: RowSource, tenantIdentity: string, day: number): number => {
  const counted = source.read(keys.recordBytesKey(toKey(tenantIdentity))) as RecordBytesRow | undefined;
  return counted?.day === day ? counted.bytes : 0;
};

/**
 * The event of a row; undefined for a record of another type. `tenantIdentity`: the tenant that recorded it, unless the
 * row names another one.
 */
export const decodeEventRow = (row: Uint8Array, tenantIdentity: string): EventResource | undefined => {
  const { record, commitment, attachmentsAfter, writer = tenantIdentity } = decodeRecordRow(row);
  if (record.type === 'contribution') return toContributionResource(record, writer, commitment, attachmentsAfter);
  return record.type === 'event' ? toEventResource(record, writer, commitment, attachmentsAfter) : undefined;
};

/**
 * An event of one of the tenant's assets, or of a contribution of the tenant by the identity of its record; undefined
 * if the index has no event with this identity.
 */
export const readIndexedEvent = (source: RowSource, name: RecordName): EventResource | undefined => {
  const row = readRecordRow(source, name);
  if (row !== undefined) return decodeEventRow(row, name.tenantIdentity);
  const number = readContributionNumber(source, name);
  if (number === undefined) return undefined;
  return decodeEventRow(readNumbered(source, toKey(name.tenantIdentity), number), name.tenantIdentity);
};

/** A record of a type; undefined if the index has no record of this type with this identity. */
export const readRecordOf = <T extends LedgerRecord['type']>(
  source: RowSource,
  name: RecordName,
  type: T,
): Extract<LedgerRecord, { type: T }> | undefined => {
  const row = readRecordRow(source, name);
  const record = row && decodeRecord(row);
  return record?.type === type ? (record as Extract<LedgerRecord, { type: T }>) : undefined;
};

/** The row of an asset; undefined if the index has no asset with this identity. */
export const readAssetRow = (source: RowSource, { tenantIdentity, identity }: RecordName): AssetRow | undefined =>
  source.read(keys.assetKey(toKey(tenantIdentity), toKey(identity))) as AssetRow | undefined;

/** An asset in the state of its creation; undefined if the index has no asset with this identity. */
export const readCreatedAsset = (source: RowSource, name: RecordName): Asset | undefined => {
  const row = readAssetRow(source, name);
  if (row === undefined) return undefined;
  const creation = readNumbered(source, toKey(name.tenantIdentity), row.creationNumber);
  const { asset_settings, asset_attributes } = decodeRecord(creation) as EventRecord;
  return { ...toAsset(row), state: createAssetState(asset_settings as AssetSettings, asset_attributes) };
};

/** Members of a collection of the index, by number. */
export interface Members {
  readonly tenantKey: Uint8Array;
  readonly collection: Exclude<keys.Collection, 'events'>;
  readonly numbers: readonly number[];
}

/** The key of a member's row from the member's stream key. */
type ToRowKey = (tenantKey: Uint8Array, key: Uint8Array) => Buffer;

const readRowKeys = async (
  snapshot: Snapshot,
  { tenantKey, collection, numbers }: Members,
  toRowKey: ToRowKey,
): Promise<Buffer[]> => {
  const members = await readReferenced(
    snapshot,
    numbers.map((number) => keys.memberKey(tenantKey, collection, number)),
  );
  return members.map((member) => toRowKey(tenantKey, decodeMember(member)));
};

/** The rows of members, in the same order. */
export const readMembers = async (snapshot: Snapshot, members: Members, toRowKey: ToRowKey): Promise<Row[]> =>
  readReferenced(snapshot, await readRowKeys(snapshot, members, toRowKey));

/** The same rows, each decoded only when its function is called. */
export const readLongMembers = async (
  snapshot: Snapshot,
  members: Members,
  toRowKey: ToRowKey,
): Promise<(() => Row)[]> => {
  const names = await readRowKeys(snapshot, members, toRowKey);
  const rows = await snapshot.readLong(names);
  return rows.map((decode, at) => () => {
    const row = decode();
    if (row === undefined) throw createMissingRowError(names[at]!);
    return row;
  });
};

/** The rows of events by their numbers. */
export const readEventRows = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  numbers: readonly number[],
): Promise<Uint8Array[]> => {
  const rows = await readReferenced(
    snapshot,
    numbers.map((number) => keys.memberKey(tenantKey, 'events', number)),
  );
  return rows as Uint8Array[];
};

/** The events with these numbers. */
export const readEvents = async (
  snapshot: Snapshot,
  tenantIdentity: string,
  numbers: readonly number[],
): Promise<EventResource[]> => {
  const rows = await readEventRows(snapshot, toKey(tenantIdentity), numbers);
  return rows.map((row) => decodeEventRow(row, tenantIdentity)!);
};
