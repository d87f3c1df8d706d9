// Lists the tenant's locations in their newest versions. Counted only when the client requests it.
import type { LocationQuery } from '../../../indexer/ledgerView.ts';
import type { ServerDeps } from '../../deps.ts';
import { toAttributeFilters, toFieldFilters } from '../../lists/filters.ts';
import type { PageFilters } from '../../lists/pageTokens.ts';
import { isCountRequested, openPage } from '../../lists/paging.ts';
import type { Handler } from '../../openapi/handlers.ts';

const DEFAULTS = { order_by: 'DEFAULT' };

const toLocationQuery = (filters: PageFilters): LocationQuery => ({
  attributes: toAttributeFilters(filters, { attributes: 'attributes' }),
  fields: toFieldFilters(filters, ['display_name', 'description']),
  order: filters.order_by === 'DEFAULT' ? 'newest' : 'displayName',
});

export const listLocations =
  (deps: ServerDeps): Handler<'listLocations'> =>
  async ({ caller, query, headers }) => {
    const { tenantIdentity } = caller;
    const isTotalRequested = isCountRequested(headers['x-request-total-count']);
    const opened = openPage(deps, { tenantIdentity, list: 'locations', query, defaults: DEFAULTS, isTotalRequested });
    const found = await deps.view.listLocations(tenantIdentity, toLocationQuery(opened.filters), opened.page);
    const { status, nextPageToken, headers: pageHeaders } = opened.toListAnswer(found);
    return { status, headers: pageHeaders, body: { locations: found.items, next_page_token: nextPageToken } };
  };
