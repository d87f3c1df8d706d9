// Lists the events of a public asset, without a token and without their principals.
import type { EventQuery } from '../../../indexer/ledgerView.ts';
import type { ServerDeps } from '../../deps.ts';
import { openEventList } from '../../lists/eventList.ts';
import { EMPTY_PAGE } from '../../lists/paging.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readPublicTenant, withoutPrincipals } from '../../records/publicRecords.ts';

// Principals are shown empty and a filter is never empty, so no event that is shown could match a filter on them.
const filtersPrincipals = ({ fields }: EventQuery): boolean =>
  fields.some(({ field }) => field.startsWith('principal_'));

export const listPublicEvents =
  (deps: ServerDeps): Handler<'listPublicEvents'> =>
  async ({ params, query }) => {
    const { view } = deps;
    const assetUuid = params.asset_uuid;
    const tenantIdentity = await readPublicTenant(view, assetUuid, 'ASSET_NOT_FOUND');
    const list = `publicassets/${assetUuid}/events`;
    const { query: eventQuery, page, toListAnswer } = openEventList(deps, { tenantIdentity, list, query, assetUuid });
    const isNothing = eventQuery === undefined || filtersPrincipals(eventQuery);
    const found = isNothing ? EMPTY_PAGE : await view.listEvents(tenantIdentity, eventQuery, page);
    const { status, headers, nextPageToken } = toListAnswer(found);
    return { status, headers, body: { events: found.items.map(withoutPrincipals), next_page_token: nextPageToken } };
  };
