// Reads one asset as it is now, or as it was at a time.
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readAssetResource } from '../../records/assetReads.ts';
import { readVisibleAsset } from '../../records/sharedRecords.ts';

export const getAsset =
  (deps: ServerDeps): Handler<'getAsset'> =>
  async ({ caller, params, query }) => ({
    status: 200,
    body: await readAssetResource(
      deps,
      (atMs) =>
        readVisibleAsset(deps.view, caller, { assetUuid: params.uuid, ownerIdentity: query.tenant_identity }, atMs),
      query.at_time,
    ),
  });
