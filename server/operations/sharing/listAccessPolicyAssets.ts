// Lists the tenant's assets that the filters of an access policy match now, newest first. Counted only when the client
// requests it.
import { toTimestamp } from '../../../ledger/encoding/timestamp.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { toAssetFilters } from '../../../ledger/sharing/grants.ts';
import type { ServerDeps } from '../../deps.ts';
import { encodeListBody } from '../../lists/encodedList.ts';
import { isCountRequested, openPage } from '../../lists/paging.ts';
import type { Handler } from '../../openapi/handlers.ts';

const ALL_ASSETS = { tracked: 'ANY', attributes: [], fields: [], order: 'newest' } as const;

export const listAccessPolicyAssets =
  (deps: ServerDeps): Handler<'listAccessPolicyAssets'> =>
  async ({ caller, params, query, headers }) => {
    const { view, chainId, now } = deps;
    const { tenantIdentity } = caller;
    const policy = await view.readAccessPolicy(tenantIdentity, params.uuid);
    if (policy === undefined) throw new LedgerError('ACCESS_POLICY_NOT_FOUND');
    const isTotalRequested = isCountRequested(headers['x-request-total-count']);
    const list = `access_policies/${params.uuid}/assets`;
    const opened = openPage(deps, { tenantIdentity, list, query, defaults: {}, isTotalRequested });
    const matching = { ...ALL_ASSETS, matching: toAssetFilters(policy) };
    const context = { chainId, at_time: toTimestamp(now()) };
    const found = await view.encodeAssetPage(tenantIdentity, matching, opened.page, context);
    const { status, nextPageToken, headers: pageHeaders } = opened.toListAnswer(found);
    return { status, headers: pageHeaders, json: encodeListBody('assets', found.json, nextPageToken) };
  };
