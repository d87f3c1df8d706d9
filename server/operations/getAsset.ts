// One asset as it is now, or was at a time.
import { readAssetResource } from '../assetReads.ts';
import type { ServerDeps } from '../deps.ts';
import type { Handler } from '../handlers.ts';

export const getAsset =
  (deps: ServerDeps): Handler<'getAsset'> =>
  async ({ caller, params, query }) => ({
    status: 200,
    body: await readAssetResource(deps, caller.tenantIdentity, params.uuid, query.at_time),
  });
