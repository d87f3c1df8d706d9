// The events of all public assets of all tenants, newest first: lists that the projection keeps of them as if they were
// of one tenant more, so that no request grows with the number of tenants.
import { type EventResource, withoutPrincipals } from '../../ledger/records/event.ts';
import * as keys from '../keys.ts';
import type { EventQuery, Page, PageQuery } from '../ledgerView.ts';
import { PUBLIC_RECORDS } from '../projection/projectPublic.ts';
import type { ChainPosition } from '../rows/chainPosition.ts';
import { positionOfRow } from '../rows/recordRow.ts';
import { decodePublicEvent, type PublicEventPlace, type TenantRow } from '../rows/rows.ts';
import type { Snapshot } from '../snapshots.ts';
import { readAcceptedPage } from './acceptedPage.ts';
import { openList, toAcceptedEvents, toEventList } from './eventPages.ts';
import { readBlockNumber, readMergedPage } from './mergedPage.ts';
import { decodeEventRow, readNumbered, readReferenced } from './recordReads.ts';

interface StoredEvent extends PublicEventPlace {
  readonly row: Uint8Array;
}

const readStored = async (snapshot: Snapshot, numbers: readonly number[]): Promise<StoredEvent[]> => {
  const places = (await readReferenced(snapshot, numbers.map(keys.publicEventKey))).map(decodePublicEvent);
  const names = places.map(({ tenantKey, number }) => keys.memberKey(tenantKey, 'events', number));
  const rows = await readReferenced(snapshot, names);
  return places.map((place, at) => ({ ...place, row: rows[at] as Uint8Array }));
};

const createReadTenant = (snapshot: Snapshot): ((tenantKey: Uint8Array) => Promise<string>) => {
  const known = new Map<string, string>();
  return async (tenantKey) => {
    const name = Buffer.from(tenantKey).toString('latin1');
    const identity =
      known.get(name) ?? ((await readReferenced(snapshot, [keys.tenantRowKey(tenantKey)]))[0] as TenantRow).identity;
    known.set(name, identity);
    return identity;
  };
};

const readPublicEvents = async (snapshot: Snapshot, numbers: readonly number[]): Promise<EventResource[]> => {
  const readTenant = createReadTenant(snapshot);
  const events: EventResource[] = [];
  for (const { tenantKey, row } of await readStored(snapshot, numbers)) {
    events.push(withoutPrincipals(decodeEventRow(row, await readTenant(tenantKey))!));
  }
  return events;
};

const readPositions = async (snapshot: Snapshot, numbers: readonly number[]): Promise<ChainPosition[]> =>
  (await readStored(snapshot, numbers)).map(({ row }) => positionOfRow(row));

/**
 * Whether a query is about principals. They are shown empty and a filter is never empty, so no event that is shown
 * could match.
 */
export const filtersPrincipals = ({ fields }: EventQuery): boolean =>
  fields.some(({ field }) => field.startsWith('principal_'));

/**
 * One page of the committed events of all public assets that meet a query, without their principals. The query isn't
 * about them.
 */
export const readPublicEventPage = async (
  snapshot: Snapshot,
  query: EventQuery,
  page: PageQuery,
): Promise<Page<EventResource>> => {
  const source = { snapshot, tenantIdentity: PUBLIC_RECORDS, uncommitted: [] };
  const list = await openList(source, query);
  const read = (numbers: readonly number[]) => readPublicEvents(snapshot, numbers);
  if (query.order === 'oldestAccepted') {
    return readAcceptedPage({ ...toAcceptedEvents(source, list), readEvents: read }, page);
  }
  const members = await toEventList(source, list, page, { of: withoutPrincipals, read });
  // The numbers are those of this index; where the chain has an event is the same in every index.
  const readPlaces = (numbers: readonly number[]) => readPositions(snapshot, numbers);
  const readPosition = (number: number): ChainPosition => {
    const { tenantKey, number: ofTenant } = decodePublicEvent(snapshot.read(keys.publicEventKey(number))!);
    return positionOfRow(readNumbered(snapshot, tenantKey, ofTenant));
  };
  const others = [{ ...members, readPositions: readPlaces, readPosition }];
  return readMergedPage({ own: undefined, others, blockNumber: readBlockNumber(snapshot) }, page);
};
