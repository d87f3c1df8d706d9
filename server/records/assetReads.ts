// Reads one asset as it is now, or as it was at a time (decision 19).
import { type AssetResource, toAssetResource } from '../../ledger/assets/assetResource.ts';
import { normalizeTimestamp, toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { ServerDeps } from '../deps.ts';

/**
 * The asset at a time (RFC 3339); now, when no time is given or the time is in the future.
 * Rejects with TIMESTAMP_INVALID that names `at_time`, or with ASSET_NOT_FOUND when the asset did not exist at that
 * time.
 */
export const readAssetResource = async (
  { view, chainId, now }: Pick<ServerDeps, 'view' | 'chainId' | 'now'>,
  tenantIdentity: string,
  assetUuid: string,
  atTime: string | undefined,
): Promise<AssetResource> => {
  const nowMs = now();
  const atMs = atTime === undefined ? nowMs : Date.parse(normalizeTimestamp(atTime, 'at_time'));
  const asset =
    atMs < nowMs
      ? await view.readAssetAt(tenantIdentity, assetUuid, atMs)
      : await view.readAsset(tenantIdentity, assetUuid);
  if (asset === undefined) throw new LedgerError('ASSET_NOT_FOUND');
  return toAssetResource(asset, { chainId, at_time: toTimestamp(Math.min(atMs, nowMs)) });
};
