// The reads of what a tenant contributes to assets of other tenants.
import type { Asset } from '../ledger/assets/assetResource.ts';
import type { EventResource } from '../ledger/records/event.ts';
import type { Grant } from '../ledger/sharing/grants.ts';
import type { SharedAssetName, SharedReader } from './sharedView.ts';

/** An asset that grants let a principal see, or record some events on. */
export interface ContributedAsset {
  /** As the chain has it, with all of its attributes, whatever the principal may read. */
  readonly asset: Asset;
  /** The grants that the principal has on the asset as it is now. */
  readonly grants: readonly Grant[];
}

/** A contribution of the tenant. */
export interface Contribution {
  readonly event: EventResource;
  /** Whether it is an event of the asset, or may become one. */
  readonly hasEffect: boolean;
}

/** Reads of what a tenant contributes. UUIDs are lower-case. */
export interface ContributionView {
  /**
   * The asset of another tenant, or of its own if that is restricted, that grants let the principal see, or record
   * some events on. Committed records decide alone. Rejects with ASSET_AMBIGUOUS if several tenants have one with this
   * UUID and none is named.
   */
  findContributedAsset(
    tenantIdentity: string,
    sender: SharedReader,
    name: SharedAssetName,
  ): Promise<ContributedAsset | undefined>;
  /**
   * The tenant's own contribution of this event, as it was written, committed or not; the newest if there are
   * contributions to assets of several tenants with the same UUIDs.
   */
  readContribution(tenantIdentity: string, assetUuid: string, eventUuid: string): Promise<Contribution | undefined>;
}
