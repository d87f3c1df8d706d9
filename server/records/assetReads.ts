// Reads one asset as it is now, or as it was at a time (decision 19).
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { type AssetResource, toAssetResource } from '../../ledger/assets/assetResource.ts';
import { normalizeTimestamp, toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { ServerDeps } from '../deps.ts';

/**
 * The asset at a time (RFC 3339); now, when no time is given or the time is in the future. `read` reads it, without a
 * time as it is now.
 * Rejects with TIMESTAMP_INVALID that names `at_time`, or with ASSET_NOT_FOUND when the asset did not exist at that
 * time.
 */
export const readAssetResource = async (
  { chainId, now }: Pick<ServerDeps, 'chainId' | 'now'>,
  read: (atMs: number | undefined) => Promise<Asset | undefined>,
  atTime: string | undefined,
): Promise<AssetResource> => {
  const nowMs = now();
  const atMs = atTime === undefined ? nowMs : Date.parse(normalizeTimestamp(atTime, 'at_time'));
  const asset = await read(atMs < nowMs ? atMs : undefined);
  if (asset === undefined) throw new LedgerError('ASSET_NOT_FOUND');
  return toAssetResource(asset, { chainId, at_time: toTimestamp(Math.min(atMs, nowMs)) });
};
