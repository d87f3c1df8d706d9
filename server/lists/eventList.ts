// The query, pages and count that a tenant's lists of events and the public lists share.
import type { EventField, EventQuery, Page, PageQuery } from '../../indexer/ledgerView.ts';
import { STORAGE_INTEGRITY } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { ServerDeps } from '../deps.ts';
import { excludesConstants, toAttributeFilters, toFieldFilters, toTimeFilters } from './filters.ts';
import type { PageFilters } from './pageTokens.ts';
import { EMPTY_PAGE, type ListAnswer, type ListRequest, openPage } from './paging.ts';

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
});

/** A request for one page of events. */
export interface EventListRequest extends Pick<ListRequest, 'tenantIdentity' | 'list' | 'query'> {
  /** Undefined: events of all assets. */
  readonly assetUuid: string | undefined;
}

/**
 * Reads one page of events, always counted.
 * Rejects with PAGE_TOKEN_INVALID or TIMESTAMP_INVALID.
 */
export const readEventList = async (
  deps: Pick<ServerDeps, 'pageTokens' | 'limits'>,
  { assetUuid, ...request }: EventListRequest,
  readPage: (query: EventQuery, page: PageQuery) => Promise<Page<EventResource>>,
): Promise<ListAnswer & { readonly events: readonly EventResource[] }> => {
  const opened = openPage(deps, { ...request, defaults: DEFAULTS, isTotalRequested: true });
  const query = toEventQuery(opened.filters, assetUuid);
  const isNothing = excludesConstants(opened.filters, { storage_integrity: STORAGE_INTEGRITY });
  const found = isNothing ? EMPTY_PAGE : await readPage(query, opened.page);
  return { ...opened.toListAnswer(found), events: found.items };
};
