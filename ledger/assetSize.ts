// How much one asset may hold: every event that changes an asset writes all of its attributes again.
import { type Attributes, mergeAttributes } from './attributes.ts';
import { refuseField } from './errors.ts';

/** Most characters that the JSON text of an asset's attributes may have. */
export const ASSET_ATTRIBUTES_CHARACTERS_MAX = 262_144;

/**
 * Asserts that an asset's attributes stay within bounds when `changes` are merged into them.
 * @throws LedgerError ASSET_TOO_LARGE that names `asset_attributes`.
 */
export const assertAssetFits = (attributes: Attributes, changes: Attributes): void => {
  if (Object.keys(changes).length === 0) return;
  const characters = JSON.stringify(mergeAttributes(attributes, changes)).length;
  if (characters <= ASSET_ATTRIBUTES_CHARACTERS_MAX) return;
  const sizes = `${characters} characters of JSON; an asset takes ${ASSET_ATTRIBUTES_CHARACTERS_MAX} at most`;
  throw refuseField('ASSET_TOO_LARGE', 'asset_attributes', `would make the attributes of the asset ${sizes}`);
};
