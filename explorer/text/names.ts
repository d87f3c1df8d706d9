// What records are called in the explorer.
import type { AssetAnswer, AttributeMap, LedgerEvent } from '../api/client.ts';

/** The part of an identity after its last slash. */
export const uuidOf = (identity: string): string => identity.slice(identity.lastIndexOf('/') + 1);

/** The first digits of an identity's UUID, of a hash or of an address: enough to tell records of one page apart. */
export const abbreviate = (identity: string): string => {
  const last = uuidOf(identity);
  return last.startsWith('0x') ? `${last.slice(0, 10)}…` : last.slice(0, 8);
};

/** The text of an attribute; empty if it isn't text. */
export const readAttribute = (attributes: AttributeMap, name: string): string => {
  const value = attributes[name];
  return typeof value === 'string' ? value : '';
};

/** What an asset is called: its display name, or else the first digits of its identity. */
export const toAssetName = ({ identity, attributes }: Pick<AssetAnswer, 'identity' | 'attributes'>): string =>
  readAttribute(attributes, 'arc_display_name') || abbreviate(identity);

/** What an event is called: its display type, or else what it did. */
export const toEventType = ({ event_attributes, operation }: LedgerEvent): string =>
  readAttribute(event_attributes, 'arc_display_type') || (operation === 'NewAsset' ? 'Created' : operation);

interface Person {
  readonly display_name?: string;
  readonly email?: string;
  readonly subject?: string;
}

/** How a principal is shown: by what a reader knows best. */
export const toPersonName = ({ display_name, email, subject }: Person): string =>
  display_name || email || subject || '';

/** Who an event is by: the declared principal. */
export const toActorName = ({ principal_declared, principal_accepted }: LedgerEvent): string =>
  toPersonName(principal_declared) || toPersonName(principal_accepted);
