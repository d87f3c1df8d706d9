// What the server may ask: the answers of the index, with the records that wait for the chain on top of them,
// so that whoever wrote something sees it at once, committed or not.
import type { Asset, EventResource } from '../ledger/resources.ts';
import type { ApplicationRecord, TenantRecord } from '../ledger/tenancyRecord.ts';

/** One page of a list, newest first. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Where the next page begins: opaque, for `after` of the next call. Undefined when there is nothing more. */
  readonly next: string | undefined;
  /** Number of matching records, on all pages. */
  readonly total: number;
}

export interface PageQuery {
  readonly limit: number;
  /** `next` of the page before; undefined for the first page. */
  readonly after: string | undefined;
}

/** Reads of one tenant never show, count or reveal a record of another. UUIDs are lower-case. */
export interface LedgerView {
  readAsset(tenantIdentity: string, assetUuid: string): Promise<Asset | undefined>;
  /** The asset as its creation left it. */
  readCreatedAsset(tenantIdentity: string, assetUuid: string): Promise<Asset | undefined>;
  readEvent(tenantIdentity: string, assetUuid: string, eventUuid: string): Promise<EventResource | undefined>;
  /** Tracked assets of the tenant, newest first. */
  listAssets(tenantIdentity: string, page: PageQuery): Promise<Page<Asset>>;
  /** Events of one asset, or of all assets of the tenant when `assetUuid` is undefined, newest first. */
  listEvents(tenantIdentity: string, assetUuid: string | undefined, page: PageQuery): Promise<Page<EventResource>>;
  readTenant(tenantIdentity: string): Promise<TenantRecord | undefined>;
  /** Identity of the tenant of this name. */
  readTenantIdentity(displayName: string): Promise<string | undefined>;
  /** The application of this client id, and its tenant. */
  readApplication(clientId: string): Promise<{ tenantIdentity: string; application: ApplicationRecord } | undefined>;
}
