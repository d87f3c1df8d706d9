// Lists the access policies whose filters match an asset, newest first: now, or as policies and asset were at a time.
// Counted only when the client requests it.
import type { Page, PageQuery } from '../../../indexer/ledgerView.ts';
import type { DatedAccessPolicy } from '../../../indexer/sharingView.ts';
import type { Asset } from '../../../ledger/assets/assetResource.ts';
import { isAbout } from '../../../ledger/compliance/filterMatch.ts';
import { normalizeTimestamp } from '../../../ledger/encoding/timestamp.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import type { AccessPolicy } from '../../../ledger/records/accessPolicy.ts';
import type { ServerDeps } from '../../deps.ts';
import { readMatchingPolicies } from '../../lists/matchingPolicies.ts';
import { isCountRequested, openDatedPage } from '../../lists/paging.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { toAccessPolicyResource } from '../../records/newAccessPolicy.ts';

type ListPolicies = (page: PageQuery) => Promise<Page<() => AccessPolicy>>;

interface Place {
  readonly createdMs: number;
  readonly identity: string;
}

const isAfter = ({ createdMs, policy: { identity } }: DatedAccessPolicy, { createdMs: atMs, identity: at }: Place) =>
  createdMs < atMs || (createdMs === atMs && identity < at);

// Pages of policies that were read at once.
const toList =
  (policies: readonly DatedAccessPolicy[]): ListPolicies =>
  async ({ limit, position }) => {
    const place = position === undefined ? undefined : (JSON.parse(position) as Place);
    const left = place === undefined ? policies : policies.filter((each) => isAfter(each, place));
    const items = left.slice(0, limit);
    const last = items.at(-1);
    const isLast = last === undefined || items.length === left.length;
    const nextPosition = isLast
      ? undefined
      : JSON.stringify({ createdMs: last.createdMs, identity: last.policy.identity } satisfies Place);
    return {
      items: items.map(
        ({ policy }) =>
          () =>
            policy,
      ),
      nextPosition,
      total: undefined,
    };
  };

interface Matched {
  readonly asset: Asset | undefined;
  readonly listPolicies: ListPolicies;
}

const readNow = async ({ view }: ServerDeps, tenantIdentity: string, assetUuid: string): Promise<Matched> => ({
  asset: await view.readAsset(tenantIdentity, assetUuid),
  listPolicies: (page) => view.listStoredAccessPolicies(tenantIdentity, page),
});

const readThen = async (
  { view }: ServerDeps,
  tenantIdentity: string,
  assetUuid: string,
  atMs: number,
): Promise<Matched> => {
  const asset = await view.readAssetAt(tenantIdentity, assetUuid, atMs);
  const policies = asset === undefined ? [] : await view.readAccessPoliciesAt(tenantIdentity, atMs);
  return { asset, listPolicies: toList(policies) };
};

export const listAssetAccessPolicies =
  (deps: ServerDeps): Handler<'listAssetAccessPolicies'> =>
  async ({ caller: { tenantIdentity }, params: { uuid }, query, headers }) => {
    const isTotalRequested = isCountRequested(headers['x-request-total-count']);
    const list = `assets/${uuid}/access_policies`;
    const request = { tenantIdentity, list, query, defaults: {}, isTotalRequested, nowMs: deps.now() };
    const { requestedMs, ...opened } = openDatedPage(deps, request);
    const { at_time: given } = opened.filters;
    const atMs = given === undefined ? undefined : Date.parse(normalizeTimestamp(given, 'at_time'));
    const isPast = atMs !== undefined && atMs < requestedMs;
    const read = isPast ? readThen(deps, tenantIdentity, uuid, atMs) : readNow(deps, tenantIdentity, uuid);
    const { asset, listPolicies } = await read;
    if (asset === undefined) throw new LedgerError('ASSET_NOT_FOUND');
    const { attributes } = asset.state;
    const isMatching = ({ filters, condition_syntax }: AccessPolicy) =>
      isAbout({ asset_filter: filters, condition_syntax }, attributes);
    const source = { party: tenantIdentity, listPolicies, runInSlices: deps.runInSlices, isMatching };
    const { all, page } = await readMatchingPolicies(source, opened.page);
    const { status, nextPageToken, headers: pageHeaders } = opened.toListAnswer({ ...page, total: all.length });
    const access_policies = page.items.map((policy) => toAccessPolicyResource(policy, tenantIdentity));
    return { status, headers: pageHeaders, body: { access_policies, next_page_token: nextPageToken } };
  };
