// Lists the assets that the caller sees: by default the tracked ones, newest first. Counted only when the client
// requests it.
import type { AssetField, AssetQuery, FieldFilter } from '../../../indexer/ledgerView.ts';
import type { SharedReader } from '../../../indexer/sharedView.ts';
import { STORAGE_INTEGRITY } from '../../../ledger/assets/assetResource.ts';
import { toTimestamp } from '../../../ledger/encoding/timestamp.ts';
import type { ServerDeps } from '../../deps.ts';
import { encodeListBody } from '../../lists/encodedList.ts';
import { excludesConstants, toAttributeFilters, toFieldFilters } from '../../lists/filters.ts';
import type { PageFilters } from '../../lists/pageTokens.ts';
import { EMPTY_ENCODED_PAGE, isCountRequested, openPage } from '../../lists/paging.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { toListName, toReader } from '../../records/sharedRecords.ts';

const FIELDS = ['confirmation_status', 'proof_mechanism', 'behaviours', 'owner'] as const satisfies AssetField[];
const DEFAULTS = { tracked: 'TRACKED', order_by: 'DEFAULT' };
const IS_PUBLIC: Readonly<Record<string, string>> = { PUBLIC: 'true', RESTRICTED: 'false' };

const toPublicFilters = (filters: PageFilters): FieldFilter<'public'>[] => {
  // Page tokens of version 0.2 have the text that the client sent.
  const requested = [filters.public?.toLowerCase(), IS_PUBLIC[filters.privacy ?? '']];
  return requested.flatMap((value) => (value === undefined ? [] : [{ field: 'public', value }]));
};

const toAssetQuery = (filters: PageFilters, reader: SharedReader): AssetQuery => ({
  tracked: filters.tracked as AssetQuery['tracked'],
  attributes: toAttributeFilters(filters, { attributes: 'attributes' }),
  fields: [...toFieldFilters(filters, FIELDS), ...toPublicFilters(filters)],
  order: filters.order_by === 'DEFAULT' ? 'newest' : 'oldestAccepted',
  reader,
  ofTenant: filters.tenant_identity,
});

export const listAssets =
  (deps: ServerDeps): Handler<'listAssets'> =>
  async ({ caller, query, headers }) => {
    const { view, chainId, now } = deps;
    const { tenantIdentity } = caller;
    const isTotalRequested = isCountRequested(headers['x-request-total-count']);
    const opened = openPage(deps, {
      tenantIdentity,
      list: toListName('assets', caller),
      query,
      defaults: DEFAULTS,
      isTotalRequested,
    });
    const { filters, page, toListAnswer } = opened;
    // All assets in the list have these values.
    const constants = {
      chain_id: String(chainId),
      storage_integrity: STORAGE_INTEGRITY,
    };
    const context = { chainId, at_time: toTimestamp(now()) };
    const found = excludesConstants(filters, constants)
      ? EMPTY_ENCODED_PAGE
      : await view.encodeAssetPage(tenantIdentity, toAssetQuery(filters, toReader(caller)), page, context);
    const { status, nextPageToken, headers: pageHeaders } = toListAnswer(found);
    return { status, headers: pageHeaders, json: encodeListBody('assets', found.json, nextPageToken) };
  };
