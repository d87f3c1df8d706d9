// What the server may ask: the answers of the index, with the records that wait for the chain on top of them,
// so that whoever wrote something sees it at once, committed or not.

import type { Asset } from '../ledger/assets/assetResource.ts';
import type { EventRange } from '../ledger/compliance/eventRange.ts';
import type { PolicyHistory } from '../ledger/compliance/policyEvent.ts';
import type { Application } from '../ledger/records/application.ts';
import type { BlobResource } from '../ledger/records/blob.ts';
import type { EventResource } from '../ledger/records/event.ts';
import type { LocationRecord, LocationResource } from '../ledger/records/location.ts';
import type { PolicyRecord, PolicyResource } from '../ledger/records/policy.ts';
import type { TenantRecord } from '../ledger/records/tenant.ts';

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** `position` of the next page: text that only the list itself interprets. Undefined on the last page. */
  readonly nextPosition: string | undefined;
  /** Number of matching records, on all pages; undefined when it was not asked for. */
  readonly total: number | undefined;
}

export interface PageQuery {
  readonly limit: number;
  /** `nextPosition` of the page before; undefined for the first page. */
  readonly position: string | undefined;
  /** Whether to count all matching records. */
  readonly isCounted: boolean;
}

/** A condition on one attribute. `equal` never matches a map or a list; `present` and `absent` count an empty value as absent. */
export interface AttributeFilter<Map extends string = string> {
  readonly map: Map;
  readonly name: string;
  readonly is: 'equal' | 'different' | 'present' | 'absent';
  /** Empty for `present` and `absent`. */
  readonly value: string;
}

/** A field that must have exactly this value. */
export interface FieldFilter<Field extends string = string> {
  readonly field: Field;
  readonly value: string;
}

export type AssetField = 'confirmation_status' | 'proof_mechanism' | 'public' | 'behaviours' | 'owner';

/** All conditions hold at once. */
export interface AssetQuery {
  readonly tracked: 'TRACKED' | 'NOT_TRACKED' | 'ANY';
  readonly attributes: readonly AttributeFilter<'attributes'>[];
  /** `public` is `true` or `false`; `behaviours` is one that the asset lists. */
  readonly fields: readonly FieldFilter<AssetField>[];
  /** Newest by position in the ledger; or oldest by acceptance of the creation, then by identity. */
  readonly order: 'newest' | 'oldestAccepted';
}

type PrincipalField = 'issuer' | 'subject' | 'display_name' | 'email';
/** `attaches` is the identity of a blob. */
export type EventField =
  | 'behaviour'
  | 'operation'
  | 'from'
  | 'transaction_id'
  | 'confirmation_status'
  | 'proof_mechanism'
  | 'attaches'
  | `principal_${'declared' | 'accepted'}.${PrincipalField}`;

export type EventTime = 'timestamp_accepted' | 'timestamp_declared' | 'timestamp_committed';

/** A time that lies strictly after `sinceMs` and strictly before `beforeMs`, in milliseconds since the epoch. */
export interface TimeFilter {
  readonly time: EventTime;
  readonly sinceMs: number | undefined;
  readonly beforeMs: number | undefined;
}

export interface EventQuery {
  /** Events of this asset; undefined: of all assets of the tenant. */
  readonly assetUuid: string | undefined;
  /** `asset_attributes`: set by the event; `asset.attributes`: what its asset has now. */
  readonly attributes: readonly AttributeFilter<'event_attributes' | 'asset_attributes' | 'asset.attributes'>[];
  readonly fields: readonly FieldFilter<EventField>[];
  readonly times: readonly TimeFilter[];
  /** Newest by position in the ledger; or oldest by acceptance, then by identity. */
  readonly order: 'newest' | 'oldestAccepted';
  /** Whether only events of public assets are asked for. */
  readonly isOfPublic?: boolean;
}

export interface LocationQuery {
  readonly attributes: readonly AttributeFilter<'attributes'>[];
  readonly fields: readonly FieldFilter<'display_name' | 'description'>[];
  /** Newest first; or by the code points of the name, then by identity. */
  readonly order: 'newest' | 'displayName';
}

export interface PolicyQuery {
  readonly fields: readonly FieldFilter<'compliance_type' | 'display_name' | 'description'>[];
  /** Newest first; or by the code points of the name, then by identity. */
  readonly order: 'newest' | 'displayName';
}

export interface ApplicationQuery {
  readonly fields: readonly FieldFilter<'display_name'>[];
}

/** What a policy needs to know of an asset and its events, all of one moment. */
export interface PolicyEvents extends PolicyHistory<number> {
  /** The asset as `readAssetAt` gives it. */
  readonly asset: Asset;
  /** Events of a type that a range asked for, in the order of the ledger. Those outside of the range may be missing. */
  ofType(displayType: string): ReturnType<PolicyHistory<number>['ofType']>;
  /** Identity of the event of a reference. */
  identityOf(ref: number): string;
}

/** Lists all policies of one tenant, the newest first. Each is decoded when it is asked for, because one may be long. */
export type ListStoredPolicies = (page: PageQuery) => Promise<Page<() => PolicyResource>>;

/** A blob, and the events that attach it. */
export interface KnownBlob {
  readonly blob: BlobResource;
  /** Identities of events, newest first, as many as were asked for. */
  readonly attachedBy: readonly string[];
  readonly attachedByTotal: number;
}

/** Reads of one tenant never show, count or reveal a record of another. UUIDs are lower-case. */
export interface LedgerView {
  readAsset(tenantIdentity: string, assetUuid: string): Promise<Asset | undefined>;
  /** The asset as its events accepted at or before this time make it; undefined when it was not created by then. */
  readAssetAt(tenantIdentity: string, assetUuid: string, atMs: number): Promise<Asset | undefined>;
  /** The asset as its creation left it. */
  readCreatedAsset(tenantIdentity: string, assetUuid: string): Promise<Asset | undefined>;
  readEvent(tenantIdentity: string, assetUuid: string, eventUuid: string): Promise<EventResource | undefined>;
  listAssets(tenantIdentity: string, query: AssetQuery, page: PageQuery): Promise<Page<Asset>>;
  listEvents(tenantIdentity: string, query: EventQuery, page: PageQuery): Promise<Page<EventResource>>;
  /** Identity of the tenant whose public asset this is; undefined when no public asset has this UUID. */
  readPublicTenant(assetUuid: string): Promise<string | undefined>;
  /** The newest version of a location. */
  readLocation(tenantIdentity: string, locationUuid: string): Promise<LocationResource | undefined>;
  /** One version of a location, also while it waits for the chain. */
  readLocationVersion(
    tenantIdentity: string,
    locationUuid: string,
    versionUuid: string,
  ): Promise<LocationRecord | undefined>;
  listLocations(tenantIdentity: string, query: LocationQuery, page: PageQuery): Promise<Page<LocationResource>>;
  readBlob(tenantIdentity: string, blobUuid: string): Promise<BlobResource | undefined>;
  /** Blobs with this content, newest first, each with the newest `attachedByMax` events that attach it. */
  listBlobs(
    tenantIdentity: string,
    query: { readonly sha256: string; readonly attachedByMax: number },
    page: PageQuery,
  ): Promise<Page<KnownBlob>>;
  /**
   * One page of the blobs of all tenants with this content that public records on the chain attach, in an order that never changes, each with the
   * newest public events that attach it. Never counted.
   */
  listPublicBlobs(
    query: { readonly sha256: string; readonly attachedByMax: number },
    page: Pick<PageQuery, 'limit' | 'position'>,
  ): Promise<Page<KnownBlob>>;
  /** Whether a blob of the tenant has this content. */
  isContentKnown(tenantIdentity: string, sha256: string): Promise<boolean>;
  /** Bytes of all blobs of the tenant. */
  readBlobBytes(tenantIdentity: string): Promise<number>;
  /** A compliance policy that was not deleted. */
  readPolicy(tenantIdentity: string, policyUuid: string): Promise<PolicyResource | undefined>;
  /** One record of a policy, that of its creation or deletion, also while it waits for the chain. */
  readPolicyVersion(tenantIdentity: string, policyUuid: string, versionUuid: string): Promise<PolicyRecord | undefined>;
  listPolicies(tenantIdentity: string, query: PolicyQuery, page: PageQuery): Promise<Page<PolicyResource>>;
  /** One page of all policies, the newest first. Each is decoded when it is asked for. */
  listStoredPolicies(tenantIdentity: string, page: PageQuery): Promise<Page<() => PolicyResource>>;
  /**
   * An asset as it was at a time, and those of its events accepted by then that `choose` asks for, at most one range for each display type. Each event has
   * a token that is the same for the same correlation id. The policies that `choose` lists are those of the same moment, whatever is written in
   * between. Undefined when the asset was not created by then.
   */
  readPolicyEvents(
    tenantIdentity: string,
    assetUuid: string,
    atMs: number,
    choose: (asset: Asset, listPolicies: ListStoredPolicies) => Promise<readonly EventRange[]>,
  ): Promise<PolicyEvents | undefined>;
  /** The newest version of a tenant. */
  readTenant(tenantIdentity: string): Promise<TenantRecord | undefined>;
  /** Identity of the tenant of this name. */
  readTenantIdentity(displayName: string): Promise<string | undefined>;
  /** The application of this client id, and its tenant, unless it was deleted. */
  readApplication(clientId: string): Promise<{ tenantIdentity: string; application: Application } | undefined>;
  /** The tenant's applications that were not deleted, newest first. */
  listApplications(tenantIdentity: string, query: ApplicationQuery, page: PageQuery): Promise<Page<Application>>;
}
