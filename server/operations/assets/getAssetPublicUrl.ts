// Returns the URL at which a public asset is readable without a token.
import { LedgerError } from '../../../ledger/errors.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readPublicTenant, toPublicUrl } from '../../records/publicRecords.ts';

export const getAssetPublicUrl =
  ({ view, publicUrl, publicHosts }: ServerDeps): Handler<'getAssetPublicUrl'> =>
  async ({ caller, params, origin, prefix }) => {
    const { uuid } = params;
    const tenantIdentity = await readPublicTenant(view, uuid, 'ASSET_NOT_FOUND');
    if (tenantIdentity !== caller.tenantIdentity) throw new LedgerError('ASSET_NOT_FOUND');
    return { status: 200, body: { publicurl: toPublicUrl({ publicUrl, publicHosts, origin, prefix }, uuid) } };
  };
