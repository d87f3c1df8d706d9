// One asset as it is now.
import { LedgerError } from '../../ledger/errors.ts';
import { toAssetResource } from '../../ledger/resources.ts';
import { toTimestamp } from '../../ledger/timestamp.ts';
import type { ServerDeps } from '../deps.ts';
import type { Handler } from '../handlers.ts';

export const getAsset =
  ({ view, chainId, now }: ServerDeps): Handler<'getAsset'> =>
  async ({ caller, params }) => {
    const asset = await view.readAsset(caller.tenantIdentity, params.uuid);
    if (asset === undefined) throw new LedgerError('ASSET_NOT_FOUND');
    return { status: 200, body: toAssetResource(asset, { chainId, at_time: toTimestamp(now()) }) };
  };
