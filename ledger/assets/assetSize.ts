// The limit on the size of one asset: each event that changes an asset writes all of its attributes to the index.
import { refuseField } from '../errors.ts';
import type { Attributes } from '../records/attributes.ts';
import { isAttach } from '../records/event.ts';
import { type AssetChange, type AssetState, applyEvent } from './asset.ts';

/** Most characters that the JSON text of an asset's attributes may have. */
export const ASSET_ATTRIBUTES_CHARACTERS_MAX = 262_144;

const toCharacters = (attributes: Attributes): number => JSON.stringify(attributes).length;

/**
 * Asserts that the event leaves the asset's attributes within the limit. Concurrent events can exceed it together; the
 * asset then accepts only events that don't make it larger.
 * @param isSizeShown whether the refusal may show the sizes, which say much about attributes that a sender can't read.
 * @throws LedgerError ASSET_TOO_LARGE that names `asset_attributes`, or the list that an Attach appends.
 */
export const assertAssetFits = (state: AssetState, event: AssetChange, isSizeShown = true): void => {
  if (Object.keys(event.asset_attributes).length === 0 && !isAttach(event)) return;
  const characters = toCharacters(applyEvent(state, event).attributes);
  if (characters <= ASSET_ATTRIBUTES_CHARACTERS_MAX || characters <= toCharacters(state.attributes)) return;
  const field = isAttach(event) ? 'event_attributes/arc_append_attachments' : 'asset_attributes';
  const sizes = isSizeShown
    ? `${characters} characters of JSON; the limit is ${ASSET_ATTRIBUTES_CHARACTERS_MAX}`
    : 'larger than an asset may have';
  throw refuseField('ASSET_TOO_LARGE', field, `would make the attributes of the asset ${sizes}`);
};
