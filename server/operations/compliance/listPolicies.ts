// Lists the tenant's compliance policies. Counted only when the client requests it.
import type { PolicyQuery } from '../../../indexer/ledgerView.ts';
import type { ServerDeps } from '../../deps.ts';
import { toFieldFilters } from '../../lists/filters.ts';
import type { PageFilters } from '../../lists/pageTokens.ts';
import { isCountRequested, openPage } from '../../lists/paging.ts';
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
    const isTotalRequested = isCountRequested(headers['x-request-total-count']);
    const request = { tenantIdentity, list: 'compliance_policies', query, defaults: DEFAULTS, isTotalRequested };
    const opened = openPage(deps, request);
    const found = await deps.view.listPolicies(tenantIdentity, toPolicyQuery(opened.filters), opened.page);
    const { status, nextPageToken, headers: pageHeaders } = opened.toListAnswer(found);
    return { status, headers: pageHeaders, body: { compliance_policies: found.items, next_page_token: nextPageToken } };
  };
