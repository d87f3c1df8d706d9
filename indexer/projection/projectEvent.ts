// The projection of an event: it becomes a member of its tenant's events and changes the state of its asset.
import type { RecordLog } from '../../chain/port.ts';
import { applyEvent, createAssetState } from '../../ledger/assets/asset.ts';
import { fromHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import type { AttributeValue } from '../../ledger/records/attributes.ts';
import { isAttach, isCreation } from '../../ledger/records/event.ts';
import * as keys from '../keys.ts';
import { toChunk } from '../rows/bits.ts';
import type { EventColumns } from '../rows/columns.ts';
import { encodeRecordRow, toCommitment } from '../rows/recordRow.ts';
import {
  type AssetRow,
  type BlobRow,
  encodeAssetMember,
  encodeEventNumber,
  type PublicBlobRow,
  type TenantRow,
} from '../rows/rows.ts';
import { contributionKey } from '../sharingKeys.ts';
import { type Change, type ListsChange, type ReadRow, row, toTermChange, unreadRow } from './changes.ts';
import type { DecodedEvent } from './decodedEvent.ts';
import type { Decoded } from './decodedRecord.ts';
import { findPublicAsset, toPublicChanges } from './projectPublic.ts';
import { assetAttributeTerms, assetDependentTerms, assetSettingTerms, assetTerm, assetTerms } from './terms.ts';

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
  /** Identity of the tenant that contributed the event; undefined for an event of the asset's own tenant. */
  readonly writer: string | undefined;
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

const addContributor = ({ contributors = [] }: AssetRow, writer: string): readonly string[] =>
  contributors.includes(writer) ? contributors : [...contributors, writer];

const changeAsset = (
  before: AssetRow,
  { behaviour, operation, effect, acceptedMs }: DecodedEvent,
  writer: string | undefined,
): AssetRow => {
  const { event_attributes, asset_attributes } = effect;
  return {
    ...before,
    state: applyEvent(before.state, { behaviour, operation, event_attributes, asset_attributes }),
    eventCount: before.eventCount + 1,
    latestAcceptedMs: Math.max(before.latestAcceptedMs, acceptedMs),
    ...(writer !== undefined && { contributors: addContributor(before, writer) }),
  };
};

// Only Attach changes the asset's attachments by more than its own attributes contain.
const attachmentsAfter = ({ decoded: { content }, after }: ProjectionStep): AttributeValue | undefined =>
  isAttach(content) ? after.state.attributes.arc_attachments : undefined;

// An event of another tenant has a key of its own, so that it never takes the place of one of the owner's records.
const toNumberChange = ({ decoded: { tenantKey, recordKey }, number, writer }: ProjectionStep): Change => {
  const value = encodeEventNumber(number);
  if (writer === undefined) return unreadRow(keys.recordKey(tenantKey, recordKey), value);
  return row(contributionKey(tenantKey, recordKey), value);
};

const toColumns = ({ decoded: { log, content }, after }: ProjectionStep): EventColumns => ({
  timestamp_accepted: content.acceptedMs,
  timestamp_declared: content.declaredMs,
  timestamp_committed: log.blockTimestampSeconds * 1000,
  asset: after.number,
});

const toEventChanges = (step: ProjectionStep): Change[] => {
  const { decoded, counterKey, number, after, writer } = step;
  const { log, content, tenantKey } = decoded;
  const attachments = attachmentsAfter(step);
  const eventRow = encodeRecordRow(log, log.payload, { attachmentsAfter: attachments, writer });
  const dependentTerms = assetDependentTerms(after.state.proof_mechanism, attachments);
  return [
    toNumberChange(step),
    unreadRow(keys.memberKey(tenantKey, 'events', number), eventRow),
    row(counterKey, number + 1),
    { kind: 'columns', tenantKey, number, columns: toColumns(step) },
    toTermChange({ tenantKey, number }, [], content.terms),
    toTermChange({ tenantKey, number }, [], [assetTerm(after.number), ...dependentTerms]),
  ];
};

// The terms that an event may change: those of the attributes that it sets, and those of what an operation changes.
const toChangedTerms = (of: AssetRow, { behaviour, effect }: DecodedEvent): string[] => {
  const names = Object.keys(effect.asset_attributes);
  if (behaviour === 'Attachments') names.push('arc_attachments');
  const terms = assetAttributeTerms(of.state.attributes, [...new Set(names)]);
  return behaviour === 'Builtin' ? [...assetSettingTerms(of), ...terms] : terms;
};

const toPolicyChanges = ({ tenantKey, streamKey, content: { policyEvent, acceptedMs } }: EventLog): Change[] =>
  policyEvent === undefined ? [] : [{ kind: 'policyEvent', tenantKey, streamKey, event: policyEvent, acceptedMs }];

const toAssetTermChange = ({ decoded, before, after }: ProjectionStep): ListsChange => {
  return toTermChange(
    { tenantKey: decoded.tenantKey, number: after.number },
    before === undefined ? [] : toChangedTerms(before, decoded.content),
    before === undefined ? assetTerms(after) : toChangedTerms(after, decoded.content),
  );
};

const toAssetChanges = ({ decoded, assetKey, number, after }: ProjectionStep, terms: ListsChange): Change[] => {
  const { tenantKey, streamKey } = decoded;
  const isCheckpoint = after.eventCount % CHECKPOINT_EVENTS === 0;
  const checkpointKey = () => keys.checkpointKey(tenantKey, streamKey, after.latestAcceptedMs, after.eventCount);
  const isListed = terms.added.length + terms.removed.length > 0;
  return [
    row(assetKey, after),
    ...(isCheckpoint ? [row(checkpointKey(), { eventNumber: number, state: after.state })] : []),
    ...(isListed ? [row(keys.assetChangesKey(tenantKey, toChunk(after.number)), number)] : []),
    terms,
  ];
};

const toCreationChanges = ({ decoded: { log, tenantKey, streamKey }, after }: ProjectionStep): Change[] => [
  row(keys.counterKey(tenantKey, 'assets'), after.number + 1),
  row(keys.memberKey(tenantKey, 'assets', after.number), encodeAssetMember(streamKey, log)),
];

// A blob becomes public with the first public record that attaches it.
const toPublicBlobChanges = ({ decoded, tenant, writer }: ProjectionStep, read: ReadRow): Change[] => {
  // A blob is one of the tenant that attaches it.
  const blobTenant = writer ?? tenant.identity;
  const blobTenantKey = toKey(blobTenant);
  const publicBlob = (blob: string): PublicBlobRow => ({
    tenant: blobTenant,
    blob,
    ...(writer !== undefined && { owner: tenant.identity }),
  });
  return decoded.content.effect.attached.flatMap((blob) => {
    const blobRow = read(keys.blobKey(blobTenantKey, toKey(blob))) as BlobRow | undefined;
    if (blobRow === undefined) return [];
    const key = keys.publicBlobKey(fromHex(`0x${blobRow.record.sha256}`), blobTenantKey, toKey(blob));
    return read(key) === undefined ? [row(key, publicBlob(blob))] : [];
  });
};

// A public UUID belongs to the first tenant that published it, of those that are served.
const toPublic = (step: ProjectionStep, termsOfAsset: ListsChange, read: ReadRow): Change[] => {
  const { decoded, tenant, number, before, after } = step;
  if (tenant.isSharingOnly) return [];
  const { tenantKey, streamKey, content } = decoded;
  const isCreated = before === undefined;
  const candidate = { tenantIdentity: tenant.identity, streamKey, isPublic: after.state.public, isCreated };
  const asset = findPublicAsset(candidate, read);
  if (asset === undefined) return [];
  const columns = toColumns(step);
  const terms = [...content.terms, ...assetDependentTerms(after.state.proof_mechanism, attachmentsAfter(step))];
  const event = { tenantKey, streamKey, number, columns, terms, assetTerms: termsOfAsset, isCreation: isCreated };
  return [...toPublicBlobChanges(step, read), ...toPublicChanges(asset, event, read)];
};

/**
 * The changes of an event; undefined if it has no effect, because its asset does not exist or, for a creation, exists
 * already.
 * @param decoded an event of the tenant, or what a contribution is on the tenant's asset.
 * @param writer identity of the tenant that contributed it.
 */
export const projectEvent = (
  decoded: EventLog,
  tenant: TenantRow,
  read: ReadRow,
  writer?: string,
): Change[] | undefined => {
  const { tenantKey, streamKey, content } = decoded;
  const assetKey = keys.assetKey(tenantKey, streamKey);
  const before = read(assetKey) as AssetRow | undefined;
  if (isCreation(content) === (before !== undefined)) return undefined;
  const counterKey = keys.counterKey(tenantKey, 'events');
  const number = readCount(read, counterKey);
  const after =
    before === undefined ? projectCreation(decoded, tenant, number, read) : changeAsset(before, content, writer);
  const step: ProjectionStep = { decoded, tenant, assetKey, counterKey, number, before, after, writer };
  const termsOfAsset = toAssetTermChange(step);
  return [
    ...toEventChanges(step),
    ...toPolicyChanges(decoded),
    ...toAssetChanges(step, termsOfAsset),
    ...(before === undefined ? toCreationChanges(step) : []),
    ...toPublic(step, termsOfAsset, read),
  ];
};
