// Lists the tenant's subjects, without its own. Counted only when the client requests it.
import { toChecksumAddress } from '../../../ledger/encoding/address.ts';
import type { ServerDeps } from '../../deps.ts';
import { toFieldFilters } from '../../lists/filters.ts';
import { isCountRequested, openPage } from '../../lists/paging.ts';
import type { Handler } from '../../openapi/handlers.ts';

export const listSubjects =
  (deps: ServerDeps): Handler<'listSubjects'> =>
  async ({ caller: { tenantIdentity }, query, headers }) => {
    const isTotalRequested = isCountRequested(headers['x-request-total-count']);
    const opened = openPage(deps, { tenantIdentity, list: 'subjects', query, defaults: {}, isTotalRequested });
    const names = toFieldFilters(opened.filters, ['display_name']);
    const addresses = toFieldFilters(opened.filters, ['wallet_address']).map(({ field, value }) => ({
      field,
      value: toChecksumAddress(value.toLowerCase()),
    }));
    const found = await deps.view.listSubjects(tenantIdentity, { fields: [...names, ...addresses] }, opened.page);
    const { status, nextPageToken, headers: pageHeaders } = opened.toListAnswer(found);
    return { status, headers: pageHeaders, body: { subjects: found.items, next_page_token: nextPageToken } };
  };
