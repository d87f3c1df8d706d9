// What of an asset or an event a reader sees to whom it was shared: the attributes that are granted, and no principals,
// as in public records.
import type { Asset } from '../../../ledger/assets/assetResource.ts';
import type { Attributes } from '../../../ledger/records/attributes.ts';
import { type EventResource, withoutPrincipals } from '../../../ledger/records/event.ts';
import type { Names } from '../../../ledger/sharing/grants.ts';

/** Those of an asset's attributes that have these names. */
export const restrictAttributes = (attributes: Attributes, names: Names): Attributes =>
  names === 'all' ? attributes : Object.fromEntries(Object.entries(attributes).filter(([name]) => names.has(name)));

/** The asset with those of its attributes that have these names. */
export const restrictAsset = (asset: Asset, names: Names): Asset => ({
  ...asset,
  state: { ...asset.state, attributes: restrictAttributes(asset.state.attributes, names) },
});

/** The event with those attributes of its asset that have these names, and without principals. */
export const restrictEvent = (event: EventResource, names: Names): EventResource => ({
  ...withoutPrincipals(event),
  asset_attributes: restrictAttributes(event.asset_attributes, names),
});
