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

const CASES = [(hash: string): string => hash, (hash: string): string => hash.toUpperCase()] as const;
/** Lists that `findStatedHashes` reads. */
export const STATED_LISTS = CASES.length * MAPS.length * NAMES.length;

interface Found {
  readonly event: EventResource;
  readonly stated: StatedHash;
}

// Events that wait for the chain have no block, and are newer than those of the same moment that have one.
const toBlock = ({ block_number }: EventResource): number => block_number || Number.MAX_SAFE_INTEGER;

const byNewest = ({ event: a }: Found, { event: b }: Found): number => {
  if (a.timestamp_accepted === b.timestamp_accepted) return toBlock(b) - toBlock(a);
  return a.timestamp_accepted < b.timestamp_accepted ? 1 : -1;
};

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
  const found = new Map<string, Found>();
  for (const value of CASES.map((toCase) => toCase(sha256)))
    for (const map of MAPS)
      for (const attribute of NAMES) {
        const attributes = [{ map, name: attribute, is: 'equal', value }] as const;
        const events = await readEvents({ assetUuid: undefined, attributes, fields: [], times: [], order: 'newest' });
        for (const event of events) {
          const { identity, asset_identity } = event;
          found.set(identity, { event, stated: { event_identity: identity, asset_identity, attribute, value } });
        }
      }
  return [...found.values()]
    .sort(byNewest)
    .slice(0, STATED_MAX)
    .map(({ stated }) => stated);
};
