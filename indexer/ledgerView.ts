// The reads that the server uses: the index, with the uncommitted records over it, so that a client sees its own writes
// immediately, committed or not.
import type { Asset, AssetContext } from '../ledger/assets/assetResource.ts';
import type { EventRange } from '../ledger/compliance/eventRange.ts';
import type { PolicyHistory } from '../ledger/compliance/policyEvent.ts';
import type { Hex } from '../ledger/encoding/hex.ts';
import type { Application, ApplicationRecord } from '../ledger/records/application.ts';
import type { BlobResource } from '../ledger/records/blob.ts';
import type { EventResource } from '../ledger/records/event.ts';
import type { LocationRecord, LocationResource } from '../ledger/records/location.ts';
import type { PolicyRecord, PolicyResource } from '../ledger/records/policy.ts';
import type { TenantRecord } from '../ledger/records/tenant.ts';
import type { AssetFilters } from '../ledger/sharing/grants.ts';
import type { SharedReader, SharedView } from './sharedView.ts';

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** `position` of the next page: text that only the list itself interprets. Undefined on the last page. */
  readonly nextPosition: string | undefined;
  /** Number of matching records on all pages; undefined if the query did not request it. */
  readonly total: number | undefined;
}

/** One page of a list as JSON. */
export interface EncodedPage extends Omit<Page<never>, 'items'> {
  /** The JSON of the list of items, in UTF-8. */
  readonly json: Uint8Array;
}

/** Which page of a list to read. */
export interface PageQuery {
  /** Items on the page at most. */
  readonly limit: number;
  /** `nextPosition` of the previous page; undefined for the first page. */
  readonly position: string | undefined;
  /** Whether to count all matching records. */
  readonly isCounted: boolean;
}

/**
 * A condition on one attribute. `equal` never matches a map or a list; `present` and `absent` count an empty value as
 * absent.
 */
export interface AttributeFilter<Map extends string = string> {
  readonly map: Map;
  readonly name: string;
  readonly is: 'equal' | 'different' | 'present' | 'absent';
  /** Empty for `present` and `absent`. */
  readonly value: string;
}

/** Matches members whose field has exactly this value. */
export interface FieldFilter<Field extends string = string> {
  readonly field: Field;
  readonly value: string;
}

/** Fields by which assets are filtered. */
export type AssetField = 'confirmation_status' | 'proof_mechanism' | 'public' | 'behaviours' | 'owner';

/** Which assets to list: those that meet all conditions. */
export interface AssetQuery {
  readonly tracked: 'TRACKED' | 'NOT_TRACKED' | 'ANY';
  readonly attributes: readonly AttributeFilter<'attributes'>[];
  /** The value of `public` is `true` or `false`; that of `behaviours` is one behaviour that the asset lists. */
  readonly fields: readonly FieldFilter<AssetField>[];
  /** Newest first by position in the ledger; or oldest first by acceptance of the creation, then by identity. */
  readonly order: 'newest' | 'oldestAccepted';
  /** Only the tenant's own assets that these filters match. */
  readonly matching?: AssetFilters | undefined;
  /** Lists also what is shared with this reader. Undefined: the tenant's own assets. */
  readonly reader?: SharedReader | undefined;
  /** With `reader`: only assets of the tenant with this identity, or their events. */
  readonly ofTenant?: string | undefined;
}

type PrincipalField = 'issuer' | 'subject' | 'display_name' | 'email';
/** Fields by which events are filtered. `attaches` is the identity of a blob. */
export type EventField =
  | 'behaviour'
  | 'operation'
  | 'from'
  | 'transaction_id'
  | 'confirmation_status'
  | 'proof_mechanism'
  | 'attaches'
  | `principal_${'declared' | 'accepted'}.${PrincipalField}`;

/** The times of an event. */
export type EventTime = 'timestamp_accepted' | 'timestamp_declared' | 'timestamp_committed';

/**
 * Matches events whose time lies strictly after `sinceMs` and strictly before `beforeMs`, in milliseconds since the
 * epoch.
 */
export interface TimeFilter {
  readonly time: EventTime;
  readonly sinceMs: number | undefined;
  readonly beforeMs: number | undefined;
}

/** Which events to list: those that meet all conditions. */
export interface EventQuery extends Pick<AssetQuery, 'ofTenant'> {
  /** Only events of this asset; undefined for all assets of the tenant. */
  readonly assetUuid: string | undefined;
  /** `asset_attributes`: those that the event sets; `asset.attributes`: those that its asset has now. */
  readonly attributes: readonly AttributeFilter<'event_attributes' | 'asset_attributes' | 'asset.attributes'>[];
  readonly fields: readonly FieldFilter<EventField>[];
  readonly times: readonly TimeFilter[];
  /** Newest first by position in the ledger; or oldest first by acceptance, then by identity. */
  readonly order: 'newest' | 'oldestAccepted';
  /** Only events of public assets. Default: false. */
  readonly isOfPublic?: boolean;
  /** Lists also what is shared with this reader; of one asset, if the tenant has none with its UUID. */
  readonly reader?: SharedReader | undefined;
}

/** Which locations to list: those that meet all conditions. */
export interface LocationQuery {
  readonly attributes: readonly AttributeFilter<'attributes'>[];
  readonly fields: readonly FieldFilter<'display_name' | 'description'>[];
  /** Newest first; or by the code points of the name, then by identity. */
  readonly order: 'newest' | 'displayName';
}

/** Which policies to list: those that meet all conditions. */
export interface PolicyQuery {
  readonly fields: readonly FieldFilter<'compliance_type' | 'display_name' | 'description'>[];
  /** Newest first; or by the code points of the name, then by identity. */
  readonly order: 'newest' | 'displayName';
}

/** Which applications to list: those that meet all conditions. */
export interface ApplicationQuery {
  readonly fields: readonly FieldFilter<'display_name'>[];
}

/** An asset and the parts of its events that policies evaluate, all of one moment. */
export interface PolicyEvents extends PolicyHistory<number> {
  /** The asset as `readAssetAt` returns it. */
  readonly asset: Asset;
  /**
   * Events of a display type for which a range was requested, in ledger order. Events outside the range may be missing.
   */
  ofType(displayType: string): ReturnType<PolicyHistory<number>['ofType']>;
  /** The identity of the event with this reference. */
  identityOf(ref: number): string;
  /** The block up to which records count; undefined where some count that no block has yet. */
  readonly block: { readonly number: number; readonly hash: Hex | undefined } | undefined;
}

/**
 * Lists all policies of one tenant, newest first. Each is decoded only when its function is called, because it may be
 * long.
 */
export type ListStoredPolicies = (page: PageQuery) => Promise<Page<() => PolicyResource>>;

/** Committed events in ledger order: those with numbers of at least `from` and less than `to`. */
export interface EventSpan {
  readonly from: number;
  readonly to: number;
  /** Number of events; of one asset, if the span is of one. */
  readonly count: number;
}

/** A blob and the events that attach it. */
export interface KnownBlob {
  readonly blob: BlobResource;
  /** Identities of events, newest first, at most as many as requested. */
  readonly attachedBy: readonly string[];
  readonly attachedByTotal: number;
}

/** An application and its tenant. */
export interface OwnedApplication {
  readonly tenantIdentity: string;
  readonly application: Application;
  /** Identity of its newest version, committed or not. */
  readonly version: string;
}

/**
 * Reads of the ledger. A read for one tenant never shows, counts or reveals a record of another. UUIDs are lower-case.
 */
export interface LedgerView extends SharedView {
  readAsset(tenantIdentity: string, assetUuid: string): Promise<Asset | undefined>;
  /**
   * The asset in the state that its events accepted at or before this time lead to; undefined if it was created later.
   */
  readAssetAt(tenantIdentity: string, assetUuid: string, atMs: number): Promise<Asset | undefined>;
  /** The asset as its creation left it. */
  readCreatedAsset(tenantIdentity: string, assetUuid: string): Promise<Asset | undefined>;
  readEvent(tenantIdentity: string, assetUuid: string, eventUuid: string): Promise<EventResource | undefined>;
  listAssets(tenantIdentity: string, query: AssetQuery, page: PageQuery): Promise<Page<Asset>>;
  listEvents(tenantIdentity: string, query: EventQuery, page: PageQuery): Promise<Page<EventResource>>;
  /** The same page of assets, as JSON of their resources with these values. */
  encodeAssetPage(
    tenantIdentity: string,
    query: AssetQuery,
    page: PageQuery,
    context: AssetContext,
  ): Promise<EncodedPage>;
  /** The same page of events, as JSON. The order of an event's fields is not defined. */
  encodeEventPage(tenantIdentity: string, query: EventQuery, page: PageQuery): Promise<EncodedPage>;
  /**
   * The committed events of now after the event `after`, or all; with `assetUuid`, those of this asset. Undefined if
   * `after` is no committed event of the tenant.
   */
  readEventSpan(
    tenantIdentity: string,
    assetUuid: string | undefined,
    after: string | undefined,
  ): Promise<EventSpan | undefined>;
  /**
   * The first `limit` events of a span, or fewer, oldest first, each as JSON, and where the rest of the span begins.
   * The order of an event's fields is not defined.
   */
  readSpanPage(
    tenantIdentity: string,
    assetUuid: string | undefined,
    span: Pick<EventSpan, 'from' | 'to'>,
    limit: number,
  ): Promise<{ readonly events: readonly Uint8Array[]; readonly from: number }>;
  /** Identity of the tenant that owns this public asset; undefined if no public asset has this UUID. */
  readPublicTenant(assetUuid: string): Promise<string | undefined>;
  /** A page of a public asset's events without principals; without `assetUuid`, of all committed public events. */
  encodePublicEventPage(tenantIdentity: string, query: EventQuery, page: PageQuery): Promise<EncodedPage>;
  /** A location as its newest version defines it; undefined if that deletes it. */
  readLocation(tenantIdentity: string, locationUuid: string): Promise<LocationResource | undefined>;
  /** The same by the version that was in effect at a time, in milliseconds since the epoch; undefined also before. */
  readLocationAt(tenantIdentity: string, locationUuid: string, atMs: number): Promise<LocationResource | undefined>;
  /** The newest version of a location, committed or not, unless it deletes the location. */
  readNewestLocation(tenantIdentity: string, locationUuid: string): Promise<LocationRecord | undefined>;
  /** One version of a location, committed or not. */
  readLocationVersion(
    tenantIdentity: string,
    locationUuid: string,
    versionUuid: string,
  ): Promise<LocationRecord | undefined>;
  listLocations(tenantIdentity: string, query: LocationQuery, page: PageQuery): Promise<Page<LocationResource>>;
  readBlob(tenantIdentity: string, blobUuid: string): Promise<BlobResource | undefined>;
  /**
   * One page of the blobs with this content, newest first, each with the newest `attachedByMax` events that attach it.
   */
  listBlobs(
    tenantIdentity: string,
    query: { readonly sha256: string; readonly attachedByMax: number },
    page: PageQuery,
  ): Promise<Page<KnownBlob>>;
  /**
   * One page of the blobs of all tenants with this content that committed public records attach, in an order that never
   * changes, each with the newest public events that attach it. Never counted.
   */
  listPublicBlobs(
    query: { readonly sha256: string; readonly attachedByMax: number },
    page: Pick<PageQuery, 'limit' | 'position'>,
  ): Promise<Page<KnownBlob>>;
  /** Whether a blob of the tenant has this content. */
  isContentKnown(tenantIdentity: string, sha256: string): Promise<boolean>;
  /** The sum of the sizes of the tenant's blobs, in bytes. */
  readBlobBytes(tenantIdentity: string): Promise<number>;
  /** A compliance policy that was not deleted. */
  readPolicy(tenantIdentity: string, policyUuid: string): Promise<PolicyResource | undefined>;
  /** The newest record of a policy, committed or not, unless it deletes the policy. */
  readNewestPolicy(tenantIdentity: string, policyUuid: string): Promise<PolicyRecord | undefined>;
  /** One record of a policy, its creation or its deletion, committed or not. */
  readPolicyVersion(tenantIdentity: string, policyUuid: string, versionUuid: string): Promise<PolicyRecord | undefined>;
  listPolicies(tenantIdentity: string, query: PolicyQuery, page: PageQuery): Promise<Page<PolicyResource>>;
  /** One page of all policies, newest first, each decoded only when its function is called. */
  listStoredPolicies(tenantIdentity: string, page: PageQuery): Promise<Page<() => PolicyResource>>;
  /**
   * An asset as it was at a time, with those of its events accepted by then that are in the ranges which `choose`
   * returns, at most one range per display type. Events with the same correlation id have the same `correlation`. The
   * policies that `choose` lists are those of the same moment, regardless of writes in between. Undefined if the asset
   * was created later. `atBlock`: only what this block and those before have counts, of the asset and of the policies.
   * Rejects with REQUEST_INVALID that names `at_block` if the index doesn't have the block.
   */
  readPolicyEvents(
    tenantIdentity: string,
    assetUuid: string,
    atMs: number,
    choose: (asset: Asset, listPolicies: ListStoredPolicies) => Promise<readonly EventRange[]>,
    atBlock?: number,
  ): Promise<PolicyEvents | undefined>;
  /**
   * Whether a committed version of a tenant, an application, a location or a policy changed nothing, because it
   * followed another version than the one that held.
   */
  isConflicting(tenantIdentity: string, versionIdentity: string): Promise<boolean>;
  /** The newest version of a tenant, committed or not. */
  readTenant(tenantIdentity: string): Promise<TenantRecord | undefined>;
  /** Identity of the tenant with this name. */
  readTenantIdentity(displayName: string): Promise<string | undefined>;
  /** The application with this client id, unless it was deleted. */
  readApplication(clientId: string): Promise<OwnedApplication | undefined>;
  readApplicationVersion(tenant: string, clientId: string, uuid: string): Promise<ApplicationRecord | undefined>;
  /** The tenant's applications that were not deleted, newest first. */
  listApplications(tenantIdentity: string, query: ApplicationQuery, page: PageQuery): Promise<Page<Application>>;
}
