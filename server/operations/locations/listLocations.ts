// The tenant's locations as they are now; counted only when the client asks.
import type { LocationQuery } from '../../../indexer/ledgerView.ts';
import type { ServerDeps } from '../../deps.ts';
import { toAttributeFilters, toFieldFilters } from '../../lists/filters.ts';
import type { PageFilters } from '../../lists/pageTokens.ts';
import { isCountAsked, openPage } from '../../lists/paging.ts';
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
    const isTotalAsked = isCountAsked(headers['x-request-total-count']);
    const opened = openPage(deps, { tenantIdentity, list: 'locations', query, defaults: DEFAULTS, isTotalAsked });
    const found = await deps.view.listLocations(tenantIdentity, toLocationQuery(opened.filters), opened.page);
    const { status, nextPageToken, headers: pageHeaders } = opened.toListAnswer(found);
    return { status, headers: pageHeaders, body: { locations: found.items, next_page_token: nextPageToken } };
  };
