// Events of one asset, or of all of the tenant's, newest first; always counted.
import type { ServerDeps } from '../../deps.ts';
import { readEventPage } from '../../lists/eventLists.ts';
import type { Handler } from '../../openapi/handlers.ts';

const ALL_ASSETS = '-';

export const listEvents =
  (deps: ServerDeps): Handler<'listEvents'> =>
  async ({ caller, params, query }) => {
    const assetUuid = params.asset_uuid === ALL_ASSETS ? undefined : params.asset_uuid;
    const list = `assets/${params.asset_uuid}/events`;
    const { tenantIdentity } = caller;
    const request = { tenantIdentity, list, query, assetUuid };
    const answer = await readEventPage(deps, request, (asked, page) =>
      deps.view.listEvents(tenantIdentity, asked, page),
    );
    const { status, headers, nextPageToken, events } = answer;
    return { status, headers, body: { events, next_page_token: nextPageToken } };
  };
