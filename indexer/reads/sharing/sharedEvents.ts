// The events of another tenant that a reader sees and that meet a query, as a list.
import { toAssetIdentity } from '../../../ledger/identity.ts';
import type { EventResource } from '../../../ledger/records/event.ts';
import type { EventQuery } from '../../ledgerView.ts';
import { assetTerm, NO_MEMBERS } from '../../projection/terms.ts';
import { hasAny } from '../../rows/bits.ts';
import type { ChainPosition } from '../../rows/chainPosition.ts';
import { positionOfRow } from '../../rows/recordRow.ts';
import type { Snapshot } from '../../snapshots.ts';
import type { AcceptedList } from '../acceptedPage.ts';
import { toPlace } from '../acceptedPlace.ts';
import { splitStatus } from '../matchingAssets.ts';
import type { MemberList } from '../mergedPage.ts';
import { readAssetRow, readEventRows, readEvents, readNumbered } from '../recordReads.ts';
import { addFilters, type FilterTerms, requireTerms, toConditions } from '../selection/conditions.ts';
import {
  type NumberRange,
  readCount,
  type SelectedChunk,
  type Selection,
  select,
  selectNewest,
} from '../selection/selection.ts';
import { readEventAssetNumbers } from './eventAssets.ts';
import { restrictEvent } from './restricted.ts';
import { requiredOf } from './restrictedTerms.ts';
import { openSharedCount } from './sharedCounts.ts';
import type { EventFormat } from './sharedItems.ts';
import { readNames, type VisibleAssets } from './visibleAssets.ts';
import {
  createKeepVisible,
  createReadAssetChunk,
  type ReadAssetChunk,
  toVisibleEventQuery,
  type VisibleEventQuery,
} from './visibleEvents.ts';

// Principals are shown empty, and attachments only where an attribute is visible, so no filter on one matches.
const isAboutHidden = ({ fields }: EventQuery): boolean =>
  fields.some(({ field }) => field.startsWith('principal_') || field === 'attaches');

const toSelection = (
  snapshot: Snapshot,
  { tenantIdentity, tenantKey }: VisibleAssets,
  query: EventQuery,
  required: readonly FilterTerms[],
): Selection => {
  const { rest, matchesStatus } = splitStatus(query.fields);
  const ofEvents = query.attributes.filter(({ map }) => map === 'event_attributes');
  const conditions = addFilters(toConditions('events', { attributes: ofEvents, fields: rest }), required);
  const { assetUuid, times } = query;
  const asset =
    assetUuid === undefined
      ? undefined
      : readAssetRow(snapshot, { tenantIdentity, identity: toAssetIdentity(assetUuid) });
  const ofAsset = asset === undefined ? [] : [assetTerm(asset.number)];
  const isNothing =
    !matchesStatus('CONFIRMED') || isAboutHidden(query) || (assetUuid !== undefined && asset === undefined);
  return {
    tenantKey,
    collection: 'events',
    conditions: isNothing ? { all: [NO_MEMBERS], none: [] } : requireTerms(conditions, ...ofAsset),
    ...(times.length === 0 ? {} : { columns: { times, ofAssets: undefined } }),
  };
};

/** What is selected of a tenant's events, before what the reader sees of them is. */
interface OpenedEvents {
  readonly selection: Selection;
  readonly restricted: VisibleEventQuery;
  readonly readAssets: ReadAssetChunk;
}

const openEvents = (snapshot: Snapshot, visible: VisibleAssets, query: EventQuery): OpenedEvents => {
  const restricted = toVisibleEventQuery(query.attributes);
  const selection = toSelection(snapshot, visible, query, requiredOf(restricted.ofEvents));
  return { selection, restricted, readAssets: createReadAssetChunk(snapshot, visible, restricted) };
};

async function* selectVisible(
  snapshot: Snapshot,
  visible: VisibleAssets,
  { selection, restricted, readAssets }: OpenedEvents,
  range: NumberRange,
): AsyncGenerator<SelectedChunk> {
  const keepVisible = createKeepVisible(snapshot, visible, restricted, readAssets);
  const found = range.isNewestFirst ? selectNewest(snapshot, selection, range) : select(snapshot, selection, range);
  for await (const selected of found) {
    await keepVisible(selected);
    if (hasAny(selected.bits)) yield selected;
  }
}

/** Restricts events to what the reader sees of each. Each asset is looked up once. */
export const restrictEvents = async (
  snapshot: Snapshot,
  visible: VisibleAssets,
  events: readonly EventResource[],
): Promise<EventResource[]> => {
  const { tenantIdentity } = visible;
  const identities = [...new Set(events.map(({ asset_identity }) => asset_identity))];
  const numbers = identities.map((identity) => readAssetRow(snapshot, { tenantIdentity, identity })!.number);
  const names = await readNames(visible, numbers);
  const namesOf = new Map(identities.map((identity, at) => [identity, names[at]!]));
  return events.map((event) => restrictEvent(event, namesOf.get(event.asset_identity)!));
};

/** How a page gets the events of a tenant: each row is read once, for its position and for its item. */
export const createEventRows = (snapshot: Snapshot, tenantKey: Uint8Array) => {
  const known = new Map<number, Uint8Array>();
  const read = async (numbers: readonly number[]): Promise<Uint8Array[]> => {
    const missing = numbers.filter((number) => !known.has(number));
    const rows = await readEventRows(snapshot, tenantKey, missing);
    for (const [at, number] of missing.entries()) known.set(number, rows[at]!);
    return numbers.map((number) => known.get(number)!);
  };
  return {
    read,
    readPositions: async (numbers: readonly number[]): Promise<ChainPosition[]> =>
      (await read(numbers)).map(positionOfRow),
    readPosition: (number: number): ChainPosition => {
      const row = known.get(number) ?? readNumbered(snapshot, tenantKey, number);
      known.set(number, row);
      return positionOfRow(row);
    },
  };
};

/** The events of another tenant that a reader sees. */
export interface SharedEventList<T> extends MemberList<T> {
  /** Selects those whose numbers are at least `from` and less than `to`, oldest first. */
  selectOldest(from: number, to: number): AsyncIterable<SelectedChunk>;
}

/** The events that the reader sees and that meet the query, as a list of another tenant's members. */
export const toSharedEventList = async <T>(
  snapshot: Snapshot,
  visible: VisibleAssets,
  query: EventQuery,
  { isCounted, format }: { readonly isCounted: boolean; readonly format: EventFormat<T> },
): Promise<SharedEventList<T>> => {
  const { tenantKey, tenantIdentity } = visible;
  const opened = openEvents(snapshot, visible, query);
  const toItem = format.createOfShared(tenantIdentity);
  const { read, ...positions } = createEventRows(snapshot, tenantKey);
  return {
    select: (to, from = 0) => selectVisible(snapshot, visible, opened, { from, to, isNewestFirst: true }),
    selectOldest: (from, to) => selectVisible(snapshot, visible, opened, { from, to, isNewestFirst: false }),
    counted: isCounted ? await openSharedCount(snapshot, visible, opened) : undefined,
    readCount: () => readCount(snapshot, { tenantKey, collection: 'events' }),
    ...positions,
    readItems: async (numbers) => {
      const rows = await read(numbers);
      const names = await readNames(visible, await readEventAssetNumbers(snapshot, tenantKey, numbers));
      return rows.map((row, at) => toItem(row, names[at]!));
    },
  };
};

/** The same events by acceptance; they must be restricted after they were read. */
export const toSharedAcceptedEvents = (
  snapshot: Snapshot,
  visible: VisibleAssets,
  query: EventQuery,
): AcceptedList => ({
  snapshot,
  tenantKey: visible.tenantKey,
  uncommitted: [],
  readEvents: (numbers) => readEvents(snapshot, visible.tenantIdentity, numbers),
  toPlace,
  selected: selectVisible(snapshot, visible, openEvents(snapshot, visible, query), {
    from: 0,
    to: Number.POSITIVE_INFINITY,
    isNewestFirst: false,
  }),
});
