// How a record changes the index: pure, so that the same chain always gives the same index (L10). `readsFor` names the rows
// that a record's projection looks at; `project` turns the record and those rows into writes.
// Anybody with a writer's key can put anything into the log, so a record that makes no sense changes nothing.

import type { RecordLog } from '../chain/port.ts';
import { toChecksumAddress } from '../ledger/address.ts';
import { type AssetSettings, applyEvent, createAssetState } from '../ledger/asset.ts';
import { type EventRecord, isCreation } from '../ledger/eventRecord.ts';
import { fromHex, toHex } from '../ledger/hex.ts';
import { toKey } from '../ledger/identity.ts';
import { keccak256 } from '../ledger/keccak.ts';
import { decodePayload, type LedgerRecord, toStreamIdentityOf } from '../ledger/record.ts';
import type { Commitment } from '../ledger/resources.ts';
import type { ApplicationRecord, TenantRecord } from '../ledger/tenancyRecord.ts';
import { toBlockTimestamp } from '../ledger/timestamp.ts';
import * as keys from './keys.ts';
import type { ApplicationRow, AssetRow, Row, TenantRow, Write } from './rows.ts';

/** A log whose payload says a record, and whose keys are that record's. */
export interface DecodedRecord {
  readonly record: LedgerRecord;
  readonly tenantKey: Uint8Array;
  readonly streamKey: Uint8Array;
  readonly recordKey: Uint8Array;
  readonly position: Uint8Array;
  readonly commitment: Commitment;
}

/** The current value of a row that `readsFor` named. */
export type ReadRow = (key: Buffer) => Row | undefined;

const toCommitment = (log: RecordLog): Commitment => ({
  confirmation_status: 'CONFIRMED',
  timestamp_committed: toBlockTimestamp(log.blockTimestampSeconds),
  block_number: log.blockNumber,
  transaction_index: log.transactionIndex,
  log_index: log.logIndex,
  transaction_id: log.transactionHash,
  from: toChecksumAddress(log.author),
});

/** What a log says, or undefined when its payload is not a record or not the record that its keys name. */
export const decodeLog = (log: RecordLog): DecodedRecord | undefined => {
  const record = decodePayload(log.payload);
  if (record === undefined) return undefined;
  const streamKey = toKey(toStreamIdentityOf(record));
  const recordKey = toKey(record.identity);
  if (toHex(streamKey) !== log.streamKey || toHex(recordKey) !== log.recordKey) return undefined;
  return {
    record,
    tenantKey: fromHex(log.tenantKey),
    streamKey,
    recordKey,
    position: keys.toPosition(log.blockNumber, log.logIndex),
    commitment: toCommitment(log),
  };
};

const toNameKey = (tenant: TenantRecord): Buffer => keys.tenantNameKey(keccak256(Buffer.from(tenant.display_name)));

/** Keys of the rows that `project` will read for this record. */
export const readsFor = ({ record, tenantKey, streamKey }: DecodedRecord): Buffer[] => {
  const tenant = keys.tenantRowKey(tenantKey);
  switch (record.type) {
    case 'event':
      return [
        tenant,
        keys.assetKey(tenantKey, streamKey),
        keys.listCountKey(keys.eventsOfTenant(tenantKey)),
        keys.listCountKey(keys.eventsOfAsset(tenantKey, streamKey)),
        keys.listCountKey(keys.trackedAssets(tenantKey)),
      ];
    case 'tenant':
      return [tenant, toNameKey(record)];
    case 'application':
      return [tenant, keys.applicationKey(streamKey)];
  }
};

const addToList = (id: keys.ListId, position: Uint8Array, target: Uint8Array, read: ReadRow): Write[] => [
  { key: keys.listEntryKey(id, position), value: toHex(target) },
  { key: keys.listCountKey(id), value: ((read(keys.listCountKey(id)) as number | undefined) ?? 0) + 1 },
];

const removeFromList = (id: keys.ListId, position: Uint8Array, read: ReadRow): Write[] => [
  { key: keys.listEntryKey(id, position), value: undefined },
  { key: keys.listCountKey(id), value: (read(keys.listCountKey(id)) as number) - 1 },
];

const createAsset = (decoded: DecodedRecord, record: EventRecord, tenant: TenantRow): AssetRow => ({
  identity: toStreamIdentityOf(record),
  tenant_identity: tenant.identity,
  owner: decoded.commitment.from,
  confirmation_status: 'CONFIRMED',
  state: createAssetState(record.asset_settings as AssetSettings, record.asset_attributes),
  creationKey: toHex(decoded.recordKey),
  creationPosition: toHex(decoded.position),
});

const projectTracked = (
  decoded: DecodedRecord,
  before: AssetRow | undefined,
  after: AssetRow,
  read: ReadRow,
): Write[] => {
  if (before?.state.tracked === after.state.tracked) return [];
  const list = keys.trackedAssets(decoded.tenantKey);
  const position = fromHex(after.creationPosition);
  return after.state.tracked === 'TRACKED'
    ? addToList(list, position, decoded.streamKey, read)
    : removeFromList(list, position, read);
};

const projectEvent = (decoded: DecodedRecord, record: EventRecord, tenant: TenantRow, read: ReadRow): Write[] => {
  const { tenantKey, streamKey, recordKey, position } = decoded;
  const key = keys.assetKey(tenantKey, streamKey);
  const before = read(key) as AssetRow | undefined;
  if (isCreation(record) === (before !== undefined)) return [];
  const after =
    before === undefined
      ? createAsset(decoded, record, tenant)
      : { ...before, state: applyEvent(before.state, record) };
  return [
    { key, value: after },
    ...addToList(keys.eventsOfTenant(tenantKey), position, recordKey, read),
    ...addToList(keys.eventsOfAsset(tenantKey, streamKey), position, recordKey, read),
    ...projectTracked(decoded, before, after, read),
  ];
};

// A name belongs to the tenant that had it first, so that no tenant can be taken for another.
const projectTenant = (decoded: DecodedRecord, record: TenantRecord, read: ReadRow): Write[] => {
  const identity = toStreamIdentityOf(record);
  if (Buffer.compare(toKey(identity), decoded.tenantKey) !== 0) return [];
  const nameKey = toNameKey(record);
  const row: TenantRow = { identity, tenant: record };
  const writes: Write[] = [{ key: keys.tenantRowKey(decoded.tenantKey), value: row }];
  return read(nameKey) === undefined ? [...writes, { key: nameKey, value: identity }] : writes;
};

const projectApplication = (
  decoded: DecodedRecord,
  record: ApplicationRecord,
  tenant: TenantRow,
  read: ReadRow,
): Write[] => {
  const key = keys.applicationKey(decoded.streamKey);
  const current = read(key) as ApplicationRow | undefined;
  if (current !== undefined && current.tenantIdentity !== tenant.identity) return [];
  return [{ key, value: { tenantIdentity: tenant.identity, application: record } }];
};

const projectMeaning = (decoded: DecodedRecord, read: ReadRow): Write[] => {
  const { record } = decoded;
  if (record.type === 'tenant') return projectTenant(decoded, record, read);
  const tenant = read(keys.tenantRowKey(decoded.tenantKey)) as TenantRow | undefined;
  if (tenant === undefined) return [];
  return record.type === 'event'
    ? projectEvent(decoded, record, tenant, read)
    : projectApplication(decoded, record, tenant, read);
};

/** The changes that a record makes to the index. The record itself is kept even where it means nothing. */
export const project = (decoded: DecodedRecord, read: ReadRow): Write[] => [
  {
    key: keys.recordKey(decoded.tenantKey, decoded.recordKey),
    value: { record: decoded.record, commitment: decoded.commitment },
  },
  ...projectMeaning(decoded, read),
];
