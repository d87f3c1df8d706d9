// Lists the tenant's access policies. Counted only when the client requests it.
import type { AccessPolicyQuery } from '../../../indexer/sharingView.ts';
import type { ServerDeps } from '../../deps.ts';
import { toFieldFilters } from '../../lists/filters.ts';
import type { PageFilters } from '../../lists/pageTokens.ts';
import { isCountRequested, openPage } from '../../lists/paging.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { toAccessPolicyResource } from '../../records/newAccessPolicy.ts';

const DEFAULTS = { order_by: 'DEFAULT' };

const toQuery = (filters: PageFilters): AccessPolicyQuery => ({
  fields: toFieldFilters(filters, ['display_name', 'description']),
  order: filters.order_by === 'DEFAULT' ? 'newest' : 'displayName',
});

export const listAccessPolicies =
  (deps: ServerDeps): Handler<'listAccessPolicies'> =>
  async ({ caller, query, headers }) => {
    const { tenantIdentity } = caller;
    const isTotalRequested = isCountRequested(headers['x-request-total-count']);
    const request = { tenantIdentity, list: 'access_policies', query, defaults: DEFAULTS, isTotalRequested };
    const opened = openPage(deps, request);
    const found = await deps.view.listAccessPolicies(tenantIdentity, toQuery(opened.filters), opened.page);
    const { status, nextPageToken, headers: pageHeaders } = opened.toListAnswer(found);
    const access_policies = found.items.map((policy) => toAccessPolicyResource(policy, tenantIdentity));
    return { status, headers: pageHeaders, body: { access_policies, next_page_token: nextPageToken } };
  };
