// Reads one public asset, without a token, as it is now or as it was at a time.
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readAssetResource } from '../../records/assetReads.ts';
import { readPublicTenant } from '../../records/publicRecords.ts';

export const getPublicAsset =
  (deps: ServerDeps): Handler<'getPublicAsset'> =>
  async ({ params, query }) => {
    const tenantIdentity = await readPublicTenant(deps.view, params.uuid, 'ASSET_NOT_FOUND');
    const { view } = deps;
    const read = (atMs: number | undefined) =>
      atMs === undefined
        ? view.readAsset(tenantIdentity, params.uuid)
        : view.readAssetAt(tenantIdentity, params.uuid, atMs);
    return { status: 200, body: await readAssetResource(deps, read, query.at_time) };
  };
