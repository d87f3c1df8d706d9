// Lists of events. Conditions on the event are posting lists; conditions on its asset are first resolved to the assets
// that meet them.
import { toAssetIdentity, toKey } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { EncodedPage, EventQuery, Page, PageQuery } from '../ledgerView.ts';
import { assetTerm, assetTerms, eventTerms, NO_MEMBERS } from '../projection/terms.ts';
import { countBits, lowsOf, toNumber } from '../rows/bits.ts';
import type { Snapshot } from '../snapshots.ts';
import { type AcceptedList, readAcceptedPage } from './acceptedPage.ts';
import { toPlace } from './acceptedPlace.ts';
import { findBefore } from './datedEvents.ts';
import { createEncodeEventRow, encodeEvent, encodeList, toJsonList } from './eventJson.ts';
import { type ChangedAsset, readChangedAssets, selectAssets, splitStatus } from './matchingAssets.ts';
import { type NewestList, readNewestPage, type UncommittedItem } from './newestPage.ts';
import { readAssetRow, readEventRows, readEvents, toAsset } from './recordReads.ts';
import { type Conditions, meetsConditions, requireTerms, toConditions } from './selection/conditions.ts';
import { openCount } from './selection/countedSelection.ts';
import { type AssetFlags, isWithin, type NumberSet, toAssetFlags } from './selection/eventColumns.ts';
import { acceptedUntil, readCount, type Selection, select, selectNewest } from './selection/selection.ts';
import { overlayAsset, toUncommittedEvents, type UncommittedEvent } from './uncommitted.ts';

/** What events are read from. */
export interface EventSource {
  readonly snapshot: Snapshot;
  readonly tenantIdentity: string;
  /** The uncommitted events of the requested asset, or of all assets of the tenant; oldest first. */
  readonly uncommitted: readonly UncommittedEvent[];
}

/**
 * Up to so many assets, their events are found by the assets' own posting lists; for more assets, by the column of
 * asset numbers.
 */
const ASSET_LISTS_MAX = 8;

const NOTHING: Conditions = { all: [NO_MEMBERS], none: [] };

const isOfAsset = ({ map }: { map: string }): boolean => map === 'asset.attributes';

const toEventConditions = ({ attributes, fields }: EventQuery): Conditions =>
  toConditions('events', {
    attributes: attributes.filter((filter) => !isOfAsset(filter)),
    fields: splitStatus(fields).rest,
  });

/** The conditions on an event's asset; undefined if there are none. */
const toAssetConditions = ({ attributes, isOfPublic = false }: EventQuery): Conditions | undefined => {
  const filters = attributes.filter(isOfAsset).map((filter) => ({ ...filter, map: 'attributes' }));
  const fields = isOfPublic ? [{ field: 'public', value: 'true' }] : [];
  return filters.length + fields.length === 0 ? undefined : toConditions('assets', { attributes: filters, fields });
};

const readMatchingAssets = async (
  { snapshot, tenantIdentity }: EventSource,
  conditions: Conditions,
  changed: readonly ChangedAsset[],
): Promise<NumberSet> => {
  const set = new Map();
  for await (const { chunk, bits } of selectAssets(snapshot, toKey(tenantIdentity), { conditions, changed })) {
    set.set(chunk, bits);
  }
  return set;
};

const toAssetSelection = (assets: NumberSet): Pick<Selection, 'anyOf'> & { ofAssets: AssetFlags | undefined } => {
  const count = [...assets.values()].reduce((sum, bits) => sum + countBits(bits), 0);
  if (count > ASSET_LISTS_MAX) return { ofAssets: toAssetFlags(assets) };
  const numbers = [...assets].flatMap(([chunk, bits]) => lowsOf(bits).map((low) => toNumber(chunk, low)));
  return { anyOf: numbers.map(assetTerm), ofAssets: undefined };
};

const selectOfAsset = ({ snapshot, tenantIdentity, uncommitted }: EventSource, query: EventQuery): Conditions => {
  const row = readAssetRow(snapshot, { tenantIdentity, identity: toAssetIdentity(query.assetUuid!) });
  if (row === undefined) return NOTHING;
  const conditions = toAssetConditions(query);
  const asset = overlayAsset(toAsset(row), uncommitted)!;
  const isMatching = conditions === undefined || meetsConditions(conditions, assetTerms(asset));
  return isMatching ? { all: [assetTerm(row.number)], none: [] } : NOTHING;
};

const toSelection = async (
  source: EventSource,
  query: EventQuery,
  changed: readonly ChangedAsset[],
): Promise<Selection> => {
  const conditions = toEventConditions(query);
  const isConfirmedRequested = splitStatus(query.fields).matchesStatus('CONFIRMED');
  const base = { tenantKey: toKey(source.tenantIdentity), collection: 'events' as const };
  if (!isConfirmedRequested) return { ...base, conditions: NOTHING };
  const { times } = query;
  const toColumns = (ofAssets: AssetFlags | undefined) =>
    times.length === 0 && ofAssets === undefined ? {} : { columns: { times, ofAssets } };
  if (query.assetUuid !== undefined) {
    const ofAsset = selectOfAsset(source, query);
    return { ...base, conditions: requireTerms(conditions, ...ofAsset.all), ...toColumns(undefined) };
  }
  const assetConditions = toAssetConditions(query);
  if (assetConditions === undefined) return { ...base, conditions, ...toColumns(undefined) };
  const { ofAssets, ...anyOf } = toAssetSelection(await readMatchingAssets(source, assetConditions, changed));
  return { ...base, conditions, ...anyOf, ...toColumns(ofAssets) };
};

const isMatchingEvent = (query: EventQuery, event: EventResource, { asset }: ChangedAsset): boolean => {
  const ofAsset = toAssetConditions(query);
  return (
    splitStatus(query.fields).matchesStatus(event.confirmation_status) &&
    meetsConditions(toEventConditions(query), eventTerms(event, asset.state.proof_mechanism)) &&
    query.times.every((filter) => isWithin(Date.parse(event[filter.time]), filter)) &&
    (ofAsset === undefined || meetsConditions(ofAsset, assetTerms(asset)))
  );
};

// The uncommitted events of one stream that meet the query; none if their asset does not exist.
const readWaitingOfStream = (
  { snapshot, tenantIdentity }: EventSource,
  query: EventQuery,
  changed: ChangedAsset,
  entries: readonly UncommittedEvent[],
): UncommittedItem<EventResource>[] => {
  const row = readAssetRow(snapshot, { tenantIdentity, identity: changed.asset.identity });
  return toUncommittedEvents(row && toAsset(row), entries)
    .filter((event) => isMatchingEvent(query, event, changed))
    .map((event) => ({ place: toPlace(event), toItem: () => event }));
};

const readWaiting = (
  source: EventSource,
  query: EventQuery,
  changed: readonly ChangedAsset[],
): UncommittedItem<EventResource>[] => {
  const streams = Map.groupBy(source.uncommitted, ({ streamIdentity }) => streamIdentity);
  return changed.flatMap((each) => readWaitingOfStream(source, query, each, streams.get(each.asset.identity)!));
};

/** A list of events: what is selected of the index, and the uncommitted ones. */
export interface OpenList {
  readonly selection: Selection;
  readonly waiting: readonly UncommittedItem<EventResource>[];
}

/** Opens the list of the events that meet a query. */
export const openList = async (source: EventSource, query: EventQuery): Promise<OpenList> => {
  const changed = readChangedAssets(source.snapshot, source.tenantIdentity, source.uncommitted);
  return { selection: await toSelection(source, query, changed), waiting: readWaiting(source, query, changed) };
};

/** The events of a list, by acceptance. */
export const toAcceptedEvents = (
  { snapshot, tenantIdentity }: EventSource,
  { selection, waiting }: OpenList,
): AcceptedList => ({
  snapshot,
  tenantKey: selection.tenantKey,
  uncommitted: waiting.map(({ toItem }) => toItem()),
  readEvents: (numbers) => readEvents(snapshot, tenantIdentity, numbers),
  toPlace,
  selected: select(snapshot, selection, { from: 0, to: Number.POSITIVE_INFINITY, isNewestFirst: false }),
});

const findCommitted =
  ({ snapshot, tenantIdentity }: EventSource, selection: Selection): NewestList<never>['findCommitted'] =>
  async (from, before, countMax) => {
    const numbers = { from, to: Number.POSITIVE_INFINITY, isNewestFirst: true };
    const selected = select(snapshot, acceptedUntil(selection, before.atMs), numbers);
    const source = { snapshot, tenantIdentity, tenantKey: selection.tenantKey };
    const found = await findBefore(source, selected, before, countMax);
    return found.map(({ event, number }) => ({ place: toPlace(event), number }));
  };

/** How events of the index become items of a page. */
export interface EventItems<T> {
  of(event: EventResource): T;
  read(numbers: readonly number[]): Promise<T[]>;
}

/** The events of a list, newest first. */
export const toEventList = async <T>(
  source: EventSource,
  { selection, waiting }: OpenList,
  { isCounted }: Pick<PageQuery, 'isCounted'>,
  items: EventItems<T>,
): Promise<NewestList<T>> => {
  const { snapshot } = source;
  return {
    uncommitted: waiting.map(({ place, toItem }) => ({ place, toItem: () => items.of(toItem()) })),
    select: (to, from = 0) => selectNewest(snapshot, selection, { from, to }),
    counted: isCounted ? await openCount(snapshot, selection) : undefined,
    readCount: () => readCount(snapshot, selection),
    findCommitted: findCommitted(source, selection),
    readItems: items.read,
  };
};

const toPlainItems = ({ snapshot, tenantIdentity }: EventSource): EventItems<EventResource> => ({
  of: (event) => event,
  read: (numbers) => readEvents(snapshot, tenantIdentity, numbers),
});

const toEncodedItems = ({ snapshot, tenantIdentity }: EventSource): EventItems<Buffer> => ({
  of: encodeEvent,
  read: async (numbers) =>
    (await readEventRows(snapshot, toKey(tenantIdentity), numbers)).map(createEncodeEventRow(tenantIdentity)),
});

/** One page of events. */
export const readEventPage = async (
  source: EventSource,
  query: EventQuery,
  page: PageQuery,
): Promise<Page<EventResource>> => {
  const list = await openList(source, query);
  if (query.order === 'oldestAccepted') return readAcceptedPage(toAcceptedEvents(source, list), page);
  return readNewestPage(await toEventList(source, list, page, toPlainItems(source)), page);
};

/** The same page as JSON. */
export const encodeEventPage = async (
  source: EventSource,
  query: EventQuery,
  page: PageQuery,
): Promise<EncodedPage> => {
  const list = await openList(source, query);
  if (query.order === 'oldestAccepted') {
    const { items, ...rest } = await readAcceptedPage(toAcceptedEvents(source, list), page);
    return { ...rest, json: encodeList(items) };
  }
  const encoded = await toEventList(source, list, page, toEncodedItems(source));
  const { items, ...rest } = await readNewestPage(encoded, page);
  return { ...rest, json: toJsonList(items) };
};
