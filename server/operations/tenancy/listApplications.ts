// Lists the tenant's applications, without their secrets. Counted only when the client requests it.
import { toApplicationResource } from '../../../ledger/records/application.ts';
import type { ServerDeps } from '../../deps.ts';
import { toFieldFilters } from '../../lists/filters.ts';
import { isCountRequested, openPage } from '../../lists/paging.ts';
import type { Handler } from '../../openapi/handlers.ts';

export const listApplications =
  (deps: ServerDeps): Handler<'listApplications'> =>
  async ({ caller: { tenantIdentity }, query, headers }) => {
    const isTotalRequested = isCountRequested(headers['x-request-total-count']);
    const opened = openPage(deps, { tenantIdentity, list: 'applications', query, defaults: {}, isTotalRequested });
    const fields = toFieldFilters(opened.filters, ['display_name']);
    const found = await deps.view.listApplications(tenantIdentity, { fields }, opened.page);
    const { status, nextPageToken, headers: pageHeaders } = opened.toListAnswer(found);
    const applications = found.items.map((application) => toApplicationResource(application, tenantIdentity));
    return { status, headers: pageHeaders, body: { applications, next_page_token: nextPageToken } };
  };
