// Lists the events of one asset, or of all assets that the caller sees, newest first. Always counted.
import type { ServerDeps } from '../../deps.ts';
import { encodeListBody } from '../../lists/encodedList.ts';
import { openEventList } from '../../lists/eventList.ts';
import { EMPTY_ENCODED_PAGE } from '../../lists/paging.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { toListName, toReader } from '../../records/sharedRecords.ts';

const ALL_ASSETS = '-';

export const listEvents =
  (deps: ServerDeps): Handler<'listEvents'> =>
  async ({ caller, params, query: given }) => {
    const assetUuid = params.asset_uuid === ALL_ASSETS ? undefined : params.asset_uuid;
    const list = toListName(`assets/${params.asset_uuid}/events`, caller);
    const { tenantIdentity } = caller;
    const { query, page, toListAnswer } = openEventList(deps, { tenantIdentity, list, query: given, assetUuid });
    const found =
      query === undefined
        ? EMPTY_ENCODED_PAGE
        : await deps.view.encodeEventPage(tenantIdentity, { ...query, reader: toReader(caller) }, page);
    const { status, headers, nextPageToken } = toListAnswer(found);
    return { status, headers, json: encodeListBody('events', found.json, nextPageToken) };
  };
