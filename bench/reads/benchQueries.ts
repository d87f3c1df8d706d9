// The requests of bench:reads. Each request draws its own values from a seeded generator.
import type {
  AssetQuery,
  AttributeFilter,
  EventQuery,
  FieldFilter,
  LedgerView,
  PageQuery,
  TimeFilter,
} from '../../indexer/ledgerView.ts';
import { createRandom } from '../random.ts';
import {
  type BenchTenant,
  COUNTS,
  correlationOf,
  emailOf,
  serialOf,
  severityOf,
  siteOf,
  statusOf,
  technicianOf,
  typeNameOf,
  vendorOf,
} from './readsLedger.ts';

/** The 99th percentile of the latency to aim for, in milliseconds. */
export const AIMS = { get: 5, page: 20, count: 5, atTime: 20 } as const;

/** One kind of request. */
export interface BenchQuery {
  readonly title: string;
  readonly aim: keyof typeof AIMS;
  /**
   * Sends one request. Resolves to the size of the answer: the records on the page, the count, or 1 for a resource that
   * was found.
   */
  send(): Promise<number>;
}

type EventFilter = EventQuery['attributes'][number];

const PAGE = 100;
const DEEP_PAGES = 500;
/** The deep page of a list with fewer pages is in its middle. */
const DEEP_PART = 0.5;
const STRIDE = 1_000;
const DAY_MS = 24 * 3_600_000;

const toFilter =
  <M extends string>(map: M) =>
  (name: string, value: string, is: AttributeFilter['is'] = 'equal'): AttributeFilter<M> => ({ map, name, is, value });

const ofEvent = toFilter('event_attributes');
const setOnAsset = toFilter('asset_attributes');
const ofItsAsset = toFilter('asset.attributes');
const ofAsset = toFilter('attributes');

const toEventQuery = (query: Partial<EventQuery>): EventQuery => ({
  assetUuid: undefined,
  attributes: [],
  fields: [],
  times: [],
  order: 'newest',
  ...query,
});

/** Lists of events are always counted, as the server does; lists of assets only on request, and these are not. */
const FIRST_PAGE: PageQuery = { limit: PAGE, position: undefined, isCounted: true };
const FIRST_ASSETS: PageQuery = { ...FIRST_PAGE, isCounted: false };
const COUNT: PageQuery = { limit: 1, position: undefined, isCounted: true };

const createPicks = (tenant: BenchTenant) => {
  const random = createRandom(7);
  const pick = (count: number): number => Math.floor(random() * count);
  return {
    event: () => pick(tenant.events),
    asset: () => pick(tenant.assets),
    technician: () => technicianOf(pick(COUNTS.technicians)),
    vendor: () => vendorOf(pick(COUNTS.vendors)),
    half: () => String(pick(2)),
    email: () => emailOf(pick(COUNTS.people)),
    /** A random time between this one and the ledger's end. */
    timeAfter: (fromMs: number) => Math.floor(fromMs + random() * (tenant.toCommittedMs(tenant.events) - fromMs)),
  };
};

type Picks = ReturnType<typeof createPicks>;

interface Target {
  readonly view: LedgerView;
  readonly tenant: BenchTenant;
  readonly picks: Picks;
}

const countEvents = async (
  { view, tenant }: Target,
  query: Partial<EventQuery>,
  page = FIRST_PAGE,
): Promise<number> => {
  const { items, total } = await view.listEvents(tenant.identity, toEventQuery(query), page);
  return page === COUNT ? total! : items.length;
};

const filtersOf =
  (target: Target, title: string, toAttributes: (picks: Picks) => readonly EventFilter[]) => (): BenchQuery => ({
    title,
    aim: 'page',
    send: () => countEvents(target, { attributes: toAttributes(target.picks) }),
  });

/** The position of the deep page. */
const findDeep = async ({ view, tenant }: Target, query: EventQuery): Promise<string | undefined> => {
  let position: string | undefined;
  let left = Math.min(DEEP_PAGES * PAGE, Math.floor(tenant.events * DEEP_PART));
  while (left > 0) {
    const limit = Math.min(STRIDE, left);
    const page = await view.listEvents(tenant.identity, query, { limit, position, isCounted: false });
    position = page.nextPosition;
    left -= limit;
  }
  return position;
};

const deepPage = (target: Target, title: string, query: Partial<EventQuery>) => async (): Promise<BenchQuery> => {
  const position = await findDeep(target, toEventQuery(query));
  return { title, aim: 'page', send: () => countEvents(target, query, { ...FIRST_PAGE, position }) };
};

const plain = (query: BenchQuery) => (): BenchQuery => query;

const createSingleReads = ({ view, tenant, picks }: Target) => {
  const { identity, assetUuidOf, eventUuidOf, assetOf, toCreatedMs } = tenant;
  const readAt = async (asset: number): Promise<number> =>
    (await view.readAssetAt(identity, assetUuidOf(asset), picks.timeAfter(toCreatedMs(asset)))) === undefined ? 0 : 1;
  const readEvent = async (event: number): Promise<number> =>
    (await view.readEvent(identity, assetUuidOf(assetOf[event]!), eventUuidOf(event))) === undefined ? 0 : 1;
  const readAsset = async (asset: number): Promise<number> =>
    (await view.readAsset(identity, assetUuidOf(asset))) === undefined ? 0 : 1;
  return [
    plain({ title: 'get event', aim: 'get', send: () => readEvent(picks.event()) }),
    plain({ title: 'get asset', aim: 'get', send: () => readAsset(picks.asset()) }),
    plain({ title: 'asset `at_time`, any asset', aim: 'atTime', send: () => readAt(picks.asset()) }),
    plain({ title: 'asset `at_time`, the big asset', aim: 'atTime', send: () => readAt(0) }),
  ];
};

const createEventPages = (target: Target) => {
  const big = { assetUuid: target.tenant.assetUuidOf(0) };
  const page = (title: string, query: Partial<EventQuery>) =>
    plain({ title, aim: 'page', send: () => countEvents(target, query) });
  const dense = [ofEvent('arc_display_type', typeNameOf(0))];
  return [
    page('events', {}),
    deepPage(target, 'events, deep page', {}),
    page('events, oldest accepted first', { order: 'oldestAccepted' }),
    deepPage(target, 'events, oldest accepted first, deep page', { order: 'oldestAccepted' }),
    page('events, 1 filter that 29 % meet', { attributes: dense }),
    filtersOf(target, 'events, 1 filter that 2 events meet', ({ event }) => [
      ofEvent('arc_correlation_value', correlationOf(event())),
    ]),
    page('events, 1 filter that 29 % meet, oldest accepted first', { attributes: dense, order: 'oldestAccepted' }),
    page('events of the big asset', big),
    page('events of the big asset, 1 filter', { ...big, attributes: dense }),
  ];
};

const createFilteredPages = (target: Target) => [
  filtersOf(target, 'events, 1 filter of 200 values', ({ technician }) => [ofEvent('technician', technician())]),
  filtersOf(target, 'events, 3 filters', ({ technician }) => [
    ofEvent('arc_display_type', typeNameOf(0)),
    ofEvent('severity', severityOf(0)),
    ofEvent('technician', technician()),
  ]),
  filtersOf(target, 'events, 3 filters that hardly any meets', () => [
    ofEvent('arc_display_type', typeNameOf(COUNTS.types - 1)),
    ofEvent('site', siteOf(COUNTS.sites - 1)),
    ofEvent('technician', technicianOf(COUNTS.technicians - 1)),
  ]),
  filtersOf(target, 'events, 3 filters, one `*`, one `!`', ({ technician }) => [
    ofEvent('technician', technician()),
    setOnAsset('status', '', 'present'),
    ofEvent('severity', severityOf(0), 'different'),
  ]),
  filtersOf(target, 'events, 1 filter on the asset that 1 asset meets', ({ asset }) => [
    ofItsAsset('serial', serialOf(asset())),
  ]),
  filtersOf(target, 'events, 1 filter on the asset that 5 % of assets meet', ({ vendor }) => [
    ofItsAsset('vendor', vendor()),
  ]),
  filtersOf(target, 'events, 1 filter on the asset that half of them meet', ({ half }) => [ofItsAsset('half', half())]),
];

const createFieldPages = (target: Target) => {
  const { tenant, picks } = target;
  const ofEmail = (): FieldFilter<'principal_declared.email'>[] => [
    { field: 'principal_declared.email', value: picks.email() },
  ];
  const aDay = (): TimeFilter[] => {
    const sinceMs = picks.timeAfter(tenant.toCreatedMs(0));
    return [{ time: 'timestamp_accepted', sinceMs, beforeMs: sinceMs + DAY_MS }];
  };
  const attributes = [ofEvent('arc_display_type', typeNameOf(0))];
  return [
    plain({
      title: 'events, principal of 200',
      aim: 'page',
      send: () => countEvents(target, { fields: ofEmail() }),
    }),
    plain({
      title: 'events of a day, 1 filter',
      aim: 'page',
      send: () => countEvents(target, { attributes, times: aDay() }),
    }),
  ];
};

const createCounts = (target: Target) => {
  const { tenant, picks } = target;
  const count = (title: string, toQuery: () => Partial<EventQuery>) =>
    plain({ title, aim: 'count', send: () => countEvents(target, toQuery(), COUNT) });
  return [
    count('count of events, 1 filter that 29 % meet', () => ({
      attributes: [ofEvent('arc_display_type', typeNameOf(0))],
    })),
    count('count of events, 1 filter of 200 values', () => ({
      attributes: [ofEvent('technician', picks.technician())],
    })),
    count("count of the big asset's events, 1 filter", () => ({
      assetUuid: tenant.assetUuidOf(0),
      attributes: [ofEvent('arc_display_type', typeNameOf(0))],
    })),
  ];
};

const createAssetPages = ({ view, tenant, picks }: Target) => {
  const list = async (attributes: AssetQuery['attributes']): Promise<number> =>
    (
      await view.listAssets(
        tenant.identity,
        { tracked: 'TRACKED', attributes, fields: [], order: 'newest' },
        FIRST_ASSETS,
      )
    ).items.length;
  return [
    plain({ title: 'assets, 1 filter', aim: 'page', send: () => list([ofAsset('vendor', picks.vendor())]) }),
    plain({
      title: 'assets, 3 filters',
      aim: 'page',
      send: () => list([ofAsset('half', '0'), ofAsset('site', siteOf(0)), ofAsset('status', statusOf(0), 'different')]),
    }),
  ];
};

/** The kinds of requests. Each is prepared when its function is called. */
export const createQueries = (view: LedgerView, tenant: BenchTenant): (() => BenchQuery | Promise<BenchQuery>)[] => {
  const target: Target = { view, tenant, picks: createPicks(tenant) };
  return [
    ...createSingleReads(target),
    ...createEventPages(target),
    ...createFilteredPages(target),
    ...createFieldPages(target),
    ...createCounts(target),
    ...createAssetPages(target),
  ];
};
