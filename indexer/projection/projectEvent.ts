// The projection of an event: it becomes a member of its tenant's events and changes the state of its asset.

import { applyEvent, createAssetState } from '../../ledger/assets/asset.ts';
import { attachedBlobs } from '../../ledger/assets/attachments.ts';
import { toChecksumAddress } from '../../ledger/encoding/address.ts';
import { fromHex } from '../../ledger/encoding/hex.ts';
import { toKey, toStreamIdentityOf } from '../../ledger/identity.ts';
import type { AttributeValue } from '../../ledger/records/attributes.ts';
import {
  type AssetSettings,
  type EventRecord,
  isAttach,
  isCreation,
  toShownAssetAttributes,
} from '../../ledger/records/event.ts';
import * as keys from '../keys.ts';
import { encodeRecordRow, toCommitment } from '../rows/recordRow.ts';
import { type AssetRow, type BlobRow, encodeEventNumber, encodeMember, type TenantRow } from '../rows/rows.ts';
import { type Change, type ReadRow, row, toTermChange, unreadRow } from './changes.ts';
import type { DecodedRecord } from './decodedRecord.ts';
import { toPackedEvent } from './packedEvent.ts';
import { assetAttributeTerms, assetTerm, assetTerms, eventTerms } from './terms.ts';

/**
 * Events between two checkpoints of an asset: the most that reading a past state applies, as long as times are in
 * order.
 */
const CHECKPOINT_EVENTS = 256;

type DecodedEvent = DecodedRecord<EventRecord>;

interface ProjectionStep {
  readonly decoded: DecodedEvent;
  readonly tenant: TenantRow;
  readonly number: number;
  readonly before: AssetRow | undefined;
  readonly after: AssetRow;
}

const readCount = (read: ReadRow, tenantKey: Uint8Array, collection: keys.Collection): number =>
  (read(keys.counterKey(tenantKey, collection)) as number | undefined) ?? 0;

const projectCreation = (
  { record, tenantKey, log }: DecodedEvent,
  tenant: TenantRow,
  eventNumber: number,
  read: ReadRow,
): AssetRow => ({
  identity: toStreamIdentityOf(record),
  tenant_identity: tenant.identity,
  owner: toCommitment(log).from,
  confirmation_status: 'CONFIRMED',
  state: createAssetState(record.asset_settings as AssetSettings, record.asset_attributes),
  number: readCount(read, tenantKey, 'assets'),
  creationNumber: eventNumber,
  eventCount: 1,
  latestAcceptedMs: Date.parse(record.timestamp_accepted),
});

const changeAsset = (before: AssetRow, record: EventRecord): AssetRow => ({
  ...before,
  state: applyEvent(before.state, record),
  eventCount: before.eventCount + 1,
  latestAcceptedMs: Math.max(before.latestAcceptedMs, Date.parse(record.timestamp_accepted)),
});

// Only Attach changes the asset's attachments by more than its own attributes contain.
const attachmentsAfter = ({ decoded: { record }, after }: ProjectionStep): AttributeValue | undefined =>
  isAttach(record) ? after.state.attributes.arc_attachments : undefined;

const toEventTerms = (
  { decoded: { log, record }, after }: ProjectionStep,
  attachments: AttributeValue | undefined,
): string[] => {
  const event = {
    behaviour: record.behaviour,
    operation: record.operation,
    from: toChecksumAddress(log.author),
    transaction_id: log.transactionHash,
    principal_declared: record.principal_declared,
    principal_accepted: record.principal_accepted,
    event_attributes: record.event_attributes,
    asset_attributes: toShownAssetAttributes(record, attachments),
  };
  return [assetTerm(after.number), ...eventTerms(event, after.state.proof_mechanism)];
};

const toEventChanges = (step: ProjectionStep): Change[] => {
  const { decoded, number, after } = step;
  const { log, record, tenantKey, recordKey } = decoded;
  const attachments = attachmentsAfter(step);
  const columns = {
    timestamp_accepted: Date.parse(record.timestamp_accepted),
    timestamp_declared: Date.parse(record.timestamp_declared),
    timestamp_committed: log.blockTimestampSeconds * 1000,
    asset: after.number,
  };
  return [
    unreadRow(keys.recordKey(tenantKey, recordKey), encodeEventNumber(number)),
    unreadRow(keys.memberKey(tenantKey, 'events', number), encodeRecordRow(log, log.payload, attachments)),
    row(keys.counterKey(tenantKey, 'events'), number + 1),
    { kind: 'columns', tenantKey, number, columns },
    toTermChange({ tenantKey, number }, [], toEventTerms(step, attachments)),
  ];
};

// The terms that an event may change: those of the attributes that it sets, or all terms if it changes more than
// attributes.
const toChangedTerms = (of: AssetRow, { behaviour, asset_attributes }: EventRecord): string[] => {
  if (behaviour === 'Builtin' || behaviour === 'Attachments') return assetTerms(of);
  return assetAttributeTerms(of.state.attributes, Object.keys(asset_attributes));
};

const toPolicyChanges = ({ tenantKey, streamKey, record }: DecodedEvent): Change[] => {
  const event = toPackedEvent(record);
  return event === undefined ? [] : [{ kind: 'policyEvent', tenantKey, streamKey, event }];
};

const toAssetChanges = ({ decoded, number, before, after }: ProjectionStep): Change[] => {
  const { tenantKey, streamKey, record } = decoded;
  const isCheckpoint = after.eventCount % CHECKPOINT_EVENTS === 0;
  const checkpointKey = () => keys.checkpointKey(tenantKey, streamKey, after.latestAcceptedMs, after.eventCount);
  return [
    row(keys.assetKey(tenantKey, streamKey), after),
    ...(isCheckpoint ? [row(checkpointKey(), { eventNumber: number, state: after.state })] : []),
    toTermChange(
      { tenantKey, number: after.number },
      before === undefined ? [] : toChangedTerms(before, record),
      before === undefined ? assetTerms(after) : toChangedTerms(after, record),
    ),
  ];
};

const toCreationChanges = ({ decoded, after }: ProjectionStep, read: ReadRow): Change[] => {
  const { tenantKey, streamKey } = decoded;
  const publicKey = keys.publicAssetKey(streamKey);
  // A public UUID belongs to the first tenant that published it.
  const isFirst = after.state.public && read(publicKey) === undefined;
  return [
    row(keys.counterKey(tenantKey, 'assets'), after.number + 1),
    row(keys.memberKey(tenantKey, 'assets', after.number), encodeMember(streamKey)),
    ...(isFirst ? [row(publicKey, after.tenant_identity)] : []),
  ];
};

// A blob becomes public with the first public record that attaches it.
const toPublicBlobChanges = ({ decoded, tenant, before, after }: ProjectionStep, read: ReadRow): Change[] => {
  const { tenantKey, streamKey, record } = decoded;
  if (!after.state.public) return [];
  const publicTenant = read(keys.publicAssetKey(streamKey)) ?? (before === undefined ? tenant.identity : undefined);
  if (publicTenant !== tenant.identity) return [];
  const attached = new Set([...attachedBlobs(record.event_attributes), ...attachedBlobs(record.asset_attributes)]);
  return [...attached].flatMap((blob) => {
    const blobRow = read(keys.blobKey(tenantKey, toKey(blob))) as BlobRow | undefined;
    if (blobRow === undefined) return [];
    const key = keys.publicBlobKey(fromHex(`0x${blobRow.record.sha256}`), tenantKey, toKey(blob));
    return read(key) === undefined ? [row(key, { tenant: tenant.identity, blob })] : [];
  });
};

/**
 * The changes of an event; undefined if it has no effect, because its asset does not exist or, for a creation, exists
 * already.
 */
export const projectEvent = (decoded: DecodedEvent, tenant: TenantRow, read: ReadRow): Change[] | undefined => {
  const { tenantKey, streamKey, record } = decoded;
  const before = read(keys.assetKey(tenantKey, streamKey)) as AssetRow | undefined;
  if (isCreation(record) === (before !== undefined)) return undefined;
  const number = readCount(read, tenantKey, 'events');
  const after = before === undefined ? projectCreation(decoded, tenant, number, read) : changeAsset(before, record);
  const step: ProjectionStep = { decoded, tenant, number, before, after };
  return [
    ...toEventChanges(step),
    ...toPolicyChanges(decoded),
    ...toAssetChanges(step),
    ...(before === undefined ? toCreationChanges(step, read) : []),
    ...toPublicBlobChanges(step, read),
  ];
};
