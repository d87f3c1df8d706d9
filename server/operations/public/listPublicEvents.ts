// Lists the events of a public asset, or of all public assets of all tenants, without a token and without their
// principals.
import type { ServerDeps } from '../../deps.ts';
import { PUBLIC_RECORDS_MAX } from '../../limits.ts';
import { encodeListBody } from '../../lists/encodedList.ts';
import { openEventList } from '../../lists/eventList.ts';
import { EMPTY_ENCODED_PAGE } from '../../lists/paging.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readPublicTenant } from '../../records/publicRecords.ts';

const ALL_ASSETS = '-';
/** The page tokens of the list of all public events are of no tenant. */
const NO_TENANT = '';

export const listPublicEvents =
  (deps: ServerDeps): Handler<'listPublicEvents'> =>
  async ({ params, query: given }) => {
    const { view } = deps;
    const assetUuid = params.asset_uuid === ALL_ASSETS ? undefined : params.asset_uuid;
    const tenantIdentity =
      assetUuid === undefined ? NO_TENANT : await readPublicTenant(view, assetUuid, 'ASSET_NOT_FOUND');
    const list = `publicassets/${params.asset_uuid}/events`;
    const request = { tenantIdentity, list, query: given, assetUuid, recordsMax: PUBLIC_RECORDS_MAX };
    const { query, page, toListAnswer } = openEventList(deps, request);
    const found =
      query === undefined ? EMPTY_ENCODED_PAGE : await view.encodePublicEventPage(tenantIdentity, query, page);
    const { status, headers, nextPageToken } = toListAnswer(found);
    return { status, headers, json: encodeListBody('events', found.json, nextPageToken) };
  };
