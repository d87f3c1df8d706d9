// Returns the URL at which a public asset that the caller sees is readable without a token.
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { toNotPublic, toPublicUrl } from '../../records/publicRecords.ts';
import { readVisibleAsset } from '../../records/sharedRecords.ts';

export const getAssetPublicUrl =
  ({ view, ...settings }: ServerDeps): Handler<'getAssetPublicUrl'> =>
  async ({ caller, params: { uuid }, query: { tenant_identity: ownerIdentity }, ...at }) => {
    const publicTenant = await view.readPublicTenant(uuid);
    const asset = await readVisibleAsset(view, caller, { assetUuid: uuid, ownerIdentity });
    if (asset === undefined || asset.tenant_identity !== publicTenant) throw toNotPublic('ASSET_NOT_FOUND', asset);
    return { status: 200, body: { publicurl: toPublicUrl(settings, at, uuid) } };
  };
