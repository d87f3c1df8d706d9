// The resources as the API shows them: what a record says, and where the chain has it (interface.md, "Resources and their fields").
import type { AssetState, ProofMechanism, Tracked } from '../assets/asset.ts';
import { NEVER_COMMITTED } from '../encoding/timestamp.ts';
import type { Attributes, AttributeValue } from './attributes.ts';
import type { BlobRecord } from './blob.ts';
import { COMMITTED_FIELDS, type EventRecord, isAttach } from './event.ts';
import type { LocationContent, LocationRecord } from './location.ts';
import type { PolicyContent, PolicyRecord } from './policy.ts';
import { toStreamIdentityOf } from './record.ts';

/** Where a record stands: durably accepted, on the chain for good, or refused by the chain for good. */
export type ConfirmationStatus = 'PENDING' | 'CONFIRMED' | 'FAILED';

/** Where the chain has a record. */
export interface Commitment {
  readonly confirmation_status: ConfirmationStatus;
  readonly timestamp_committed: string;
  readonly block_number: number;
  readonly transaction_index: number;
  readonly log_index: number;
  readonly transaction_id: string;
  /** Author's address with EIP-55 checksum. */
  readonly from: string;
}

export interface EventResource extends Omit<EventRecord, 'type'>, Commitment {
  readonly asset_identity: string;
  readonly tenant_identity: string;
}

export interface AssetResource {
  readonly identity: string;
  readonly behaviours: readonly string[];
  readonly attributes: Attributes;
  readonly confirmation_status: ConfirmationStatus;
  readonly tracked: Tracked;
  readonly owner: string;
  readonly at_time: string;
  readonly tenant_identity: string;
  readonly chain_id: string;
  readonly proof_mechanism: ProofMechanism;
  readonly public: boolean;
  readonly storage_integrity: string;
}

/** An asset as the index and the outbox know it. */
export interface Asset {
  readonly identity: string;
  readonly tenant_identity: string;
  readonly owner: string;
  readonly confirmation_status: ConfirmationStatus;
  readonly state: AssetState;
}

/** The commitment of a record that isn't on the chain. */
export const toUncommitted = (status: 'PENDING' | 'FAILED'): Commitment => ({
  confirmation_status: status,
  timestamp_committed: NEVER_COMMITTED,
  block_number: 0,
  transaction_index: 0,
  log_index: 0,
  transaction_id: '',
  from: '',
});

const toShownAssetAttributes = (record: EventRecord, attachmentsAfter: AttributeValue | undefined): Attributes =>
  attachmentsAfter === undefined || !isAttach(record)
    ? record.asset_attributes
    : { ...record.asset_attributes, arc_attachments: attachmentsAfter };

/**
 * The event as the API shows it. An Attach shows, besides what it committed, the asset's `arc_attachments` after it
 * (decision 25): `attachmentsAfter`, undefined where no asset takes the event.
 */
export const toEventResource = (
  record: EventRecord,
  tenantIdentity: string,
  commitment: Commitment,
  attachmentsAfter?: AttributeValue,
): EventResource => {
  return {
    identity: record.identity,
    asset_identity: record.identity.slice(0, record.identity.indexOf('/events/')),
    behaviour: record.behaviour,
    operation: record.operation,
    event_attributes: record.event_attributes,
    asset_attributes: toShownAssetAttributes(record, attachmentsAfter),
    asset_settings: record.asset_settings,
    timestamp_accepted: record.timestamp_accepted,
    timestamp_declared: record.timestamp_declared,
    timestamp_committed: commitment.timestamp_committed,
    principal_declared: record.principal_declared,
    principal_accepted: record.principal_accepted,
    confirmation_status: commitment.confirmation_status,
    block_number: commitment.block_number,
    transaction_index: commitment.transaction_index,
    log_index: commitment.log_index,
    transaction_id: commitment.transaction_id,
    from: commitment.from,
    tenant_identity: tenantIdentity,
  };
};

const toCommittedAssetAttributes = (event: Omit<EventRecord, 'type'>): Attributes => {
  if (!isAttach(event)) return event.asset_attributes;
  const { arc_attachments: _, ...committed } = event.asset_attributes;
  return committed;
};

/** The record of an event that `toEventResource` made, whatever attachments it shows. */
export const toCommittedRecord = (event: Omit<EventRecord, 'type'>): EventRecord => {
  const fields = COMMITTED_FIELDS.map((field) => [field, event[field]] as const);
  const record = { type: 'event', ...Object.fromEntries(fields) } as EventRecord;
  return { ...record, asset_attributes: toCommittedAssetAttributes(event) };
};

/** That of every asset. */
export const STORAGE_INTEGRITY = 'TENANT_STORAGE';

/** The asset as the API shows it, with the values that it has at `at_time`. */
export const toAssetResource = (asset: Asset, context: { chainId: number; at_time: string }): AssetResource => ({
  identity: asset.identity,
  behaviours: asset.state.behaviours,
  attributes: asset.state.attributes,
  confirmation_status: asset.confirmation_status,
  tracked: asset.state.tracked,
  owner: asset.owner,
  at_time: context.at_time,
  tenant_identity: asset.tenant_identity,
  chain_id: String(context.chainId),
  proof_mechanism: asset.state.proof_mechanism,
  public: asset.state.public,
  storage_integrity: STORAGE_INTEGRITY,
});

export interface LocationResource extends LocationContent {
  readonly identity: string;
}

/** The location as the API shows it. */
export const toLocationResource = (record: LocationRecord): LocationResource => ({
  identity: toStreamIdentityOf(record),
  display_name: record.display_name,
  description: record.description,
  latitude: record.latitude,
  longitude: record.longitude,
  attributes: record.attributes,
});

/** A blob as the API shows it (decision 33). */
export interface BlobResource {
  readonly identity: string;
  readonly hash: { readonly alg: 'SHA256'; readonly value: string };
  readonly mime_type: string;
  /** Bytes. */
  readonly size: number;
  readonly timestamp_accepted: string;
  readonly issuer: string;
  readonly subject: string;
  readonly tenantid: string;
  readonly scanned_status: 'NOT_SCANNED';
  readonly scanned_timestamp: '';
  readonly scanned_bad_reason: '';
}

/** The blob as the API shows it. */
export const toBlobResource = (record: BlobRecord, tenantIdentity: string): BlobResource => ({
  identity: toStreamIdentityOf(record),
  hash: { alg: 'SHA256', value: record.sha256 },
  mime_type: record.mime_type,
  size: record.size,
  timestamp_accepted: record.timestamp_accepted,
  issuer: record.principal_accepted.issuer,
  subject: record.principal_accepted.subject,
  tenantid: tenantIdentity,
  scanned_status: 'NOT_SCANNED',
  scanned_timestamp: '',
  scanned_bad_reason: '',
});

/** A compliance policy as the API shows it. */
export interface PolicyResource extends PolicyContent {
  readonly identity: string;
}

/** The policy as the API shows it. */
export const toPolicyResource = (record: PolicyRecord): PolicyResource => {
  const { type: _type, is_deleted, timestamp_accepted, principal_accepted, ...content } = record;
  return { ...content, identity: toStreamIdentityOf(record) };
};
