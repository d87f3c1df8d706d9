// The reads of what access policies share with a reader: records of other tenants, and of a restricted reader's own.
import type { Asset } from '../ledger/assets/assetResource.ts';
import type { EventResource } from '../ledger/records/event.ts';
import type { Claims } from '../ledger/sharing/userClaim.ts';

/** Who reads records of other tenants: only what their access policies grant is shown. */
export interface SharedReader {
  /** The claims of the principal, by name. */
  readonly claims: Claims;
  /** Whether it reads its own tenant's records alone, and only as far as access policies grant that. */
  readonly isOwnRestricted: boolean;
}

/** The name of an asset of another tenant. */
export interface SharedAssetName {
  readonly assetUuid: string;
  /** Undefined: the only tenant whose asset the caller may see, or record events on. */
  readonly ownerIdentity?: string | undefined;
}

/** Reads of single shared records. They show committed records only. */
export interface SharedView {
  /**
   * The asset with this name as far as it is shared with the reader, as it is now or was at a time: the tenant's own if
   * that is restricted, else that of another tenant. Undefined if there is none, or none existed then. Rejects with
   * ASSET_AMBIGUOUS if the reader sees those of several tenants and none is named.
   */
  readSharedAsset(
    tenantIdentity: string,
    reader: SharedReader,
    name: SharedAssetName,
    atMs?: number,
  ): Promise<Asset | undefined>;
  /** The event as far as it is shared with the reader, of the asset that `readSharedAsset` finds. */
  readSharedEvent(
    tenantIdentity: string,
    reader: SharedReader,
    name: SharedAssetName,
    eventUuid: string,
  ): Promise<EventResource | undefined>;
}
