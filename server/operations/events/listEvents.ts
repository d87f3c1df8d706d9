// Lists the events of one asset, or of all assets of the tenant, newest first. Always counted.
import type { ServerDeps } from '../../deps.ts';
import { readEventList } from '../../lists/readEventList.ts';
import type { Handler } from '../../openapi/handlers.ts';

const ALL_ASSETS = '-';

export const listEvents =
  (deps: ServerDeps): Handler<'listEvents'> =>
  async ({ caller, params, query }) => {
    const assetUuid = params.asset_uuid === ALL_ASSETS ? undefined : params.asset_uuid;
    const list = `assets/${params.asset_uuid}/events`;
    const { tenantIdentity } = caller;
    const request = { tenantIdentity, list, query, assetUuid };
    const answer = await readEventList(deps, request, (eventQuery, page) =>
      deps.view.listEvents(tenantIdentity, eventQuery, page),
    );
    const { status, headers, nextPageToken, events } = answer;
    return { status, headers, body: { events, next_page_token: nextPageToken } };
  };
