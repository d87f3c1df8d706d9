// The tenant's tracked assets, newest first; counted only when the client asks.
import { toAssetResource } from '../../ledger/resources.ts';
import { toTimestamp } from '../../ledger/timestamp.ts';
import type { ServerDeps } from '../deps.ts';
import type { Handler } from '../handlers.ts';
import { openPage } from '../paging.ts';

export const listAssets =
  ({ view, pageTokens, limits, chainId, now }: ServerDeps): Handler<'listAssets'> =>
  async ({ caller, query, headers }) => {
    const { tenantIdentity } = caller;
    const { page, toListAnswer } = openPage({ pageTokens, limits }, { tenantIdentity, list: 'assets', query });
    const found = await view.listAssets(tenantIdentity, page);
    const { status, nextPageToken, headers: pageHeaders } = toListAnswer(found);
    const isCounted = headers['x-request-total-count']?.toLowerCase() === 'true';
    const context = { chainId, at_time: toTimestamp(now()) };
    return {
      status,
      headers: { ...pageHeaders, ...(isCounted ? { 'x-total-count': String(found.total) } : {}) },
      body: { assets: found.items.map((asset) => toAssetResource(asset, context)), next_page_token: nextPageToken },
    };
  };
