// Reads one public asset, without a token, as it is now or as it was at a time.
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readAssetResource } from '../../records/assetReads.ts';
import { readPublicTenant } from '../../records/publicRecords.ts';

export const getPublicAsset =
  (deps: ServerDeps): Handler<'getPublicAsset'> =>
  async ({ params, query }) => {
    const tenantIdentity = await readPublicTenant(deps.view, params.uuid, 'ASSET_NOT_FOUND');
    return { status: 200, body: await readAssetResource(deps, tenantIdentity, params.uuid, query.at_time) };
  };
