// Events of one asset, or of all of the tenant's, newest first; always counted.
import type { ServerDeps } from '../deps.ts';
import type { Handler } from '../handlers.ts';
import { openPage } from '../paging.ts';

const ALL_ASSETS = '-';
const DEFAULTS = { order_by: 'DEFAULT' };

export const listEvents =
  ({ view, pageTokens, limits }: ServerDeps): Handler<'listEvents'> =>
  async ({ caller, params, query }) => {
    const { tenantIdentity } = caller;
    const list = `assets/${params.asset_uuid}/events`;
    const { page, toListAnswer } = openPage(
      { pageTokens, limits },
      { tenantIdentity, list, query, defaults: DEFAULTS },
    );
    const assetUuid = params.asset_uuid === ALL_ASSETS ? undefined : params.asset_uuid;
    const found = await view.listEvents(tenantIdentity, assetUuid, page);
    const { status, nextPageToken, headers } = toListAnswer(found);
    return {
      status,
      headers: { ...headers, 'x-total-count': String(found.total) },
      body: { events: found.items, next_page_token: nextPageToken },
    };
  };
