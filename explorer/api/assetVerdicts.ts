// The verdicts on many assets in one request.
import { type AssetAnswer, api, receive } from './client.ts';

/** Whether each asset complies now, by its identity; an asset that no policy is about has none. At most 100 assets. */
export const fetchAssetVerdicts = async (
  assets: readonly Pick<AssetAnswer, 'identity'>[],
  signal: AbortSignal,
): Promise<Map<string, boolean>> => {
  if (assets.length === 0) return new Map();
  const body = { asset_identities: assets.map(({ identity }) => identity) };
  const checked = await receive(api.POST('/v1/compliance/assets:check', { body, signal }));
  const judged = checked.body.assets.filter(({ policies_total = 0 }) => policies_total > 0);
  return new Map(judged.map(({ asset_identity, compliant = false }) => [asset_identity, compliant]));
};
