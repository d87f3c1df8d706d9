// Lists the events of a public asset, or of all public assets of all tenants, without a token and without their
// principals.
import type { EventQuery, LedgerView, PageQuery } from '../../../indexer/ledgerView.ts';
import { withoutPrincipals } from '../../../ledger/records/event.ts';
import type { ServerDeps } from '../../deps.ts';
import { openEventList } from '../../lists/eventList.ts';
import { EMPTY_PAGE } from '../../lists/paging.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readPublicTenant } from '../../records/publicRecords.ts';

const ALL_ASSETS = '-';
/** The page tokens of the list of all public events are of no tenant. */
const NO_TENANT = '';

// Principals are shown empty and a filter is never empty, so no event that is shown could match a filter on them.
const filtersPrincipals = ({ fields }: EventQuery): boolean =>
  fields.some(({ field }) => field.startsWith('principal_'));

const listOfAsset = async (view: LedgerView, tenantIdentity: string, query: EventQuery, page: PageQuery) => {
  if (filtersPrincipals(query)) return EMPTY_PAGE;
  const found = await view.listEvents(tenantIdentity, query, page);
  return { ...found, items: found.items.map(withoutPrincipals) };
};

export const listPublicEvents =
  (deps: ServerDeps): Handler<'listPublicEvents'> =>
  async ({ params, query }) => {
    const { view } = deps;
    const assetUuid = params.asset_uuid === ALL_ASSETS ? undefined : params.asset_uuid;
    const tenantIdentity =
      assetUuid === undefined ? NO_TENANT : await readPublicTenant(view, assetUuid, 'ASSET_NOT_FOUND');
    const list = `publicassets/${params.asset_uuid}/events`;
    const { query: eventQuery, page, toListAnswer } = openEventList(deps, { tenantIdentity, list, query, assetUuid });
    const readPage = (requested: EventQuery) =>
      assetUuid === undefined
        ? view.listPublicEvents(requested, page)
        : listOfAsset(view, tenantIdentity, requested, page);
    const found = eventQuery === undefined ? EMPTY_PAGE : await readPage(eventQuery);
    const { status, headers, nextPageToken } = toListAnswer(found);
    return { status, headers, body: { events: found.items, next_page_token: nextPageToken } };
  };
