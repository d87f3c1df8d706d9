// The tenant's compliance policies; counted only when the client asks.
import type { PolicyQuery } from '../../../indexer/ledgerView.ts';
import type { ServerDeps } from '../../deps.ts';
import { toFieldFilters } from '../../lists/filters.ts';
import type { PageFilters } from '../../lists/pageTokens.ts';
import { isCountAsked, openPage } from '../../lists/paging.ts';
import type { Handler } from '../../openapi/handlers.ts';

const DEFAULTS = { order_by: 'DEFAULT' };

const toPolicyQuery = (filters: PageFilters): PolicyQuery => ({
  fields: toFieldFilters(filters, ['compliance_type', 'display_name', 'description']),
  order: filters.order_by === 'DEFAULT' ? 'newest' : 'displayName',
});

export const listPolicies =
  (deps: ServerDeps): Handler<'listPolicies'> =>
  async ({ caller, query, headers }) => {
    const { tenantIdentity } = caller;
    const isTotalAsked = isCountAsked(headers['x-request-total-count']);
    const request = { tenantIdentity, list: 'compliance_policies', query, defaults: DEFAULTS, isTotalAsked };
    const opened = openPage(deps, request);
    const found = await deps.view.listPolicies(tenantIdentity, toPolicyQuery(opened.filters), opened.page);
    const { status, nextPageToken, headers: pageHeaders } = opened.toListAnswer(found);
    return { status, headers: pageHeaders, body: { compliance_policies: found.items, next_page_token: nextPageToken } };
  };
