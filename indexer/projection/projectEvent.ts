// The projection of an event: it becomes a member of its tenant's events and changes the state of its asset.

import type { RecordLog } from '../../chain/port.ts';
import { applyEvent, createAssetState } from '../../ledger/assets/asset.ts';
import { fromHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import type { AttributeValue } from '../../ledger/records/attributes.ts';
import { isAttach, isCreation } from '../../ledger/records/event.ts';
import * as keys from '../keys.ts';
import { encodeRecordRow, toCommitment } from '../rows/recordRow.ts';
import { type AssetRow, type BlobRow, encodeEventNumber, encodeMember, type TenantRow } from '../rows/rows.ts';
import { type Change, type ReadRow, row, toTermChange, unreadRow } from './changes.ts';
import type { AssetEffect, DecodedEvent } from './decodedEvent.ts';
import type { Decoded } from './decodedRecord.ts';
import { assetAttributeTerms, assetDependentTerms, assetTerms } from './terms.ts';

/**
 * Events between two checkpoints of an asset: the most that reading a past state applies, as long as times are in
 * order.
 */
const CHECKPOINT_EVENTS = 256;

type EventLog = Decoded<RecordLog, DecodedEvent>;

interface ProjectionStep {
  readonly decoded: EventLog;
  readonly tenant: TenantRow;
  readonly assetKey: Buffer;
  readonly counterKey: Buffer;
  readonly number: number;
  readonly before: AssetRow | undefined;
  readonly after: AssetRow;
}

const readCount = (read: ReadRow, counterKey: Buffer): number => (read(counterKey) as number | undefined) ?? 0;

const projectCreation = (
  { content: { effect, acceptedMs }, tenantKey, log }: EventLog,
  tenant: TenantRow,
  eventNumber: number,
  read: ReadRow,
): AssetRow => {
  const { identity, settings } = effect.creation!;
  return {
    identity,
    tenant_identity: tenant.identity,
    owner: toCommitment(log).from,
    confirmation_status: 'CONFIRMED',
    state: createAssetState(settings, effect.asset_attributes),
    number: readCount(read, keys.counterKey(tenantKey, 'assets')),
    creationNumber: eventNumber,
    eventCount: 1,
    latestAcceptedMs: acceptedMs,
  };
};

const changeAsset = (before: AssetRow, { behaviour, operation, effect, acceptedMs }: DecodedEvent): AssetRow => {
  const { event_attributes, asset_attributes } = effect;
  return {
    ...before,
    state: applyEvent(before.state, { behaviour, operation, event_attributes, asset_attributes }),
    eventCount: before.eventCount + 1,
    latestAcceptedMs: Math.max(before.latestAcceptedMs, acceptedMs),
  };
};

// Only Attach changes the asset's attachments by more than its own attributes contain.
const attachmentsAfter = ({ decoded: { content }, after }: ProjectionStep): AttributeValue | undefined =>
  isAttach(content) ? after.state.attributes.arc_attachments : undefined;

const toEventChanges = (step: ProjectionStep): Change[] => {
  const { decoded, counterKey, number, after } = step;
  const { log, content, tenantKey, recordKey } = decoded;
  const attachments = attachmentsAfter(step);
  const columns = {
    timestamp_accepted: content.acceptedMs,
    timestamp_declared: content.declaredMs,
    timestamp_committed: log.blockTimestampSeconds * 1000,
    asset: after.number,
  };
  const asset = { number: after.number, proofMechanism: after.state.proof_mechanism };
  return [
    unreadRow(keys.recordKey(tenantKey, recordKey), encodeEventNumber(number)),
    unreadRow(keys.memberKey(tenantKey, 'events', number), encodeRecordRow(log, log.payload, attachments)),
    row(counterKey, number + 1),
    { kind: 'columns', tenantKey, number, columns },
    toTermChange({ tenantKey, number }, [], content.terms),
    toTermChange({ tenantKey, number }, [], assetDependentTerms(asset, attachments)),
  ];
};

// The terms that an event may change: those of the attributes that it sets, or all terms if it changes more than
// attributes.
const toChangedTerms = (of: AssetRow, behaviour: string, { asset_attributes }: AssetEffect): string[] => {
  if (behaviour === 'Builtin' || behaviour === 'Attachments') return assetTerms(of);
  return assetAttributeTerms(of.state.attributes, Object.keys(asset_attributes));
};

const toPolicyChanges = ({ tenantKey, streamKey, content: { policyEvent, acceptedMs } }: EventLog): Change[] =>
  policyEvent === undefined ? [] : [{ kind: 'policyEvent', tenantKey, streamKey, event: policyEvent, acceptedMs }];

const toAssetChanges = ({ decoded, assetKey, number, before, after }: ProjectionStep): Change[] => {
  const { tenantKey, streamKey, content } = decoded;
  const { behaviour, effect } = content;
  const isCheckpoint = after.eventCount % CHECKPOINT_EVENTS === 0;
  const checkpointKey = () => keys.checkpointKey(tenantKey, streamKey, after.latestAcceptedMs, after.eventCount);
  return [
    row(assetKey, after),
    ...(isCheckpoint ? [row(checkpointKey(), { eventNumber: number, state: after.state })] : []),
    toTermChange(
      { tenantKey, number: after.number },
      before === undefined ? [] : toChangedTerms(before, behaviour, effect),
      before === undefined ? assetTerms(after) : toChangedTerms(after, behaviour, effect),
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
  const { tenantKey, streamKey, content } = decoded;
  if (!after.state.public) return [];
  const publicTenant = read(keys.publicAssetKey(streamKey)) ?? (before === undefined ? tenant.identity : undefined);
  if (publicTenant !== tenant.identity) return [];
  return content.effect.attached.flatMap((blob) => {
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
export const projectEvent = (decoded: EventLog, tenant: TenantRow, read: ReadRow): Change[] | undefined => {
  const { tenantKey, streamKey, content } = decoded;
  const assetKey = keys.assetKey(tenantKey, streamKey);
  const before = read(assetKey) as AssetRow | undefined;
  if (isCreation(content) === (before !== undefined)) return undefined;
  const counterKey = keys.counterKey(tenantKey, 'events');
  const number = readCount(read, counterKey);
  const after = before === undefined ? projectCreation(decoded, tenant, number, read) : changeAsset(before, content);
  const step: ProjectionStep = { decoded, tenant, assetKey, counterKey, number, before, after };
  return [
    ...toEventChanges(step),
    ...toPolicyChanges(decoded),
    ...toAssetChanges(step),
    ...(before === undefined ? toCreationChanges(step, read) : []),
    ...toPublicBlobChanges(step, read),
  ];
};
