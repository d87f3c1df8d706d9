// The query and pages that a tenant's lists of events and the public lists share.
import type { EventField, EventQuery } from '../../indexer/ledgerView.ts';
import { STORAGE_INTEGRITY } from '../../ledger/assets/assetResource.ts';
import type { ServerDeps } from '../deps.ts';
import { excludesConstants, toAttributeFilters, toFieldFilters, toTimeFilters } from './filters.ts';
import type { PageFilters } from './pageTokens.ts';
import { type ListRequest, type OpenPage, openPage } from './paging.ts';

const MAPS = {
  attributes: 'event_attributes',
  event_attributes: 'event_attributes',
  asset_attributes: 'asset_attributes',
  'asset.attributes': 'asset.attributes',
} as const;
const FIELDS: readonly EventField[] = [
  'behaviour',
  'operation',
  'from',
  'transaction_id',
  'confirmation_status',
  'proof_mechanism',
  'principal_declared.issuer',
  'principal_declared.subject',
  'principal_declared.display_name',
  'principal_declared.email',
  'principal_accepted.issuer',
  'principal_accepted.subject',
  'principal_accepted.display_name',
  'principal_accepted.email',
];
const TIMES = ['timestamp_accepted', 'timestamp_declared', 'timestamp_committed'] as const;
const DEFAULTS = { order_by: 'DEFAULT' };

/** @throws LedgerError TIMESTAMP_INVALID that names the parameter. */
const toEventQuery = (filters: PageFilters, assetUuid: string | undefined): EventQuery => ({
  assetUuid,
  attributes: toAttributeFilters(filters, MAPS),
  fields: toFieldFilters(filters, FIELDS),
  times: toTimeFilters(filters, TIMES),
  order: filters.order_by === 'DEFAULT' ? 'newest' : 'oldestAccepted',
  ofTenant: filters.tenant_identity,
});

/** A request for one page of events. */
export interface EventListRequest extends Pick<ListRequest, 'tenantIdentity' | 'list' | 'query' | 'recordsMax'> {
  /** Undefined: events of all assets. */
  readonly assetUuid: string | undefined;
}

/** The query of a page of events, and the conversion of the page that was read to an answer. */
export interface EventListPage extends Omit<OpenPage, 'filters'> {
  /** Undefined if nothing can match. */
  readonly query: EventQuery | undefined;
}

/**
 * Opens a page of events, always counted.
 * @throws LedgerError PAGE_TOKEN_INVALID or TIMESTAMP_INVALID.
 */
export const openEventList = (
  deps: Pick<ServerDeps, 'pageTokens' | 'limits'>,
  { assetUuid, ...request }: EventListRequest,
): EventListPage => {
  const { filters, ...opened } = openPage(deps, { ...request, defaults: DEFAULTS, isTotalRequested: true });
  const query = toEventQuery(filters, assetUuid);
  const isNothing = excludesConstants(filters, { storage_integrity: STORAGE_INTEGRITY });
  return { ...opened, query: isNothing ? undefined : query };
};
