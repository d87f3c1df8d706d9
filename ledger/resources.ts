// The resources as the API shows them: what a record says, and where the chain has it (interface.md, "Resources and their fields").
import type { AssetState, ProofMechanism, Tracked } from './asset.ts';
import type { Attributes } from './attributes.ts';
import type { EventRecord } from './eventRecord.ts';
import { NEVER_COMMITTED } from './timestamp.ts';

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

/** The event as the API shows it. */
export const toEventResource = (record: EventRecord, tenantIdentity: string, commitment: Commitment): EventResource => {
  return {
    identity: record.identity,
    asset_identity: record.identity.slice(0, record.identity.indexOf('/events/')),
    behaviour: record.behaviour,
    operation: record.operation,
    event_attributes: record.event_attributes,
    asset_attributes: record.asset_attributes,
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
  storage_integrity: 'TENANT_STORAGE',
});
