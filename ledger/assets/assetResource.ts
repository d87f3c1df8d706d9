// The asset as the API shows it.
import type { Attributes } from '../records/attributes.ts';
import type { ConfirmationStatus, FailureReason } from '../records/commitment.ts';
import type { ProofMechanism } from '../records/event.ts';
import type { AssetState, Tracked } from './asset.ts';

/** An asset, folded from the events that the index and the outbox have. */
export interface Asset {
  readonly identity: string;
  readonly tenant_identity: string;
  /** Address of the author of the creation, with EIP-55 checksum; empty until the creation is committed. */
  readonly owner: string;
  readonly confirmation_status: ConfirmationStatus;
  /** Only while it is FAILED. */
  readonly failure_reason?: FailureReason;
  readonly state: AssetState;
}

/** An asset as the API shows it. */
export interface AssetResource {
  readonly identity: string;
  readonly behaviours: readonly string[];
  readonly attributes: Attributes;
  readonly confirmation_status: ConfirmationStatus;
  readonly tracked: Tracked;
  readonly owner: string;
  /** Time of the values. */
  readonly at_time: string;
  readonly tenant_identity: string;
  readonly chain_id: string;
  readonly proof_mechanism: ProofMechanism;
  readonly public: boolean;
  readonly storage_integrity: string;
  /** Only of an asset that is FAILED: why the chain refused its creation. */
  readonly failure_reason?: FailureReason;
}

/** The `storage_integrity` of every asset. */
export const STORAGE_INTEGRITY = 'TENANT_STORAGE';

/** Values of an asset's resource that the ledger does not have. */
export interface AssetContext {
  readonly chainId: number;
  /** Time of the values. */
  readonly at_time: string;
}

/** The resource of an asset, with its values at `at_time`. */
export const toAssetResource = (asset: Asset, context: AssetContext): AssetResource => ({
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
  ...(asset.failure_reason !== undefined && { failure_reason: asset.failure_reason }),
});
