// Finds the events that state the hash of a file without attaching it, as documents do whose file was never uploaded.
import type { EventQuery, LedgerView } from '../../indexer/ledgerView.ts';
import type { EventResource } from '../../ledger/records/event.ts';

/** An event that states the hash of a file. */
export interface StatedHash {
  readonly event_identity: string;
  readonly asset_identity: string;
  /** The attribute that states it, of the asset or of the event. */
  readonly attribute: string;
  /** The hash as it is stated. */
  readonly value: string;
}

/** Attributes whose text is the hash of a file. */
const NAMES = ['document_hash_value', 'arc_hash_value'] as const;
const MAPS = ['asset_attributes', 'event_attributes'] as const;
/** Events of an answer at most. */
const STATED_MAX = 10;
const FIRST_PAGE = { limit: STATED_MAX, position: undefined, isCounted: false };

type ReadEvents = (query: EventQuery) => Promise<readonly EventResource[]>;

const toReadEvents = (
  view: Pick<LedgerView, 'listEvents' | 'encodePublicEventPage'>,
  tenantIdentity: string | undefined,
): ReadEvents => {
  if (tenantIdentity !== undefined)
    return async (query) => (await view.listEvents(tenantIdentity, query, FIRST_PAGE)).items;
  return async (query) => {
    const { json } = await view.encodePublicEventPage('', { ...query, isOfPublic: true }, FIRST_PAGE);
    return JSON.parse(Buffer.from(json).toString()) as EventResource[];
  };
};

/**
 * The newest events that state this SHA-256, in lower or upper case: of the tenant; without one, of all public assets.
 */
export const findStatedHashes = async (
  view: Pick<LedgerView, 'listEvents' | 'encodePublicEventPage'>,
  tenantIdentity: string | undefined,
  sha256: string,
): Promise<readonly StatedHash[]> => {
  const readEvents = toReadEvents(view, tenantIdentity);
  const found = new Map<string, StatedHash>();
  for (const value of [sha256, sha256.toUpperCase()])
    for (const map of MAPS)
      for (const attribute of NAMES) {
        const attributes = [{ map, name: attribute, is: 'equal', value }] as const;
        const events = await readEvents({ assetUuid: undefined, attributes, fields: [], times: [], order: 'newest' });
        for (const { identity, asset_identity } of events)
          found.set(identity, { event_identity: identity, asset_identity, attribute, value });
      }
  return [...found.values()].slice(0, STATED_MAX);
};
