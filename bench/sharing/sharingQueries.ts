// The requests of bench:sharing: each is sent for the tenant that owns everything, without sharing, and for a reader to
// which it is shared.
import type { AssetQuery, EventQuery, LedgerView, PageQuery } from '../../indexer/ledgerView.ts';
import type { SharedReader } from '../../indexer/sharedView.ts';
import { siteOf, statusOf, typeNameOf, vendorOf } from '../reads/readsLedger.ts';

/** Who reads: the first tenant its own records, or the second one what is shared with it, too. */
export interface ListReader {
  readonly tenantIdentity: string;
  readonly reader: SharedReader | undefined;
}

/** One kind of request. */
export interface SharingQuery {
  readonly title: string;
  readonly pageSize: number;
  /** Prepares the request for a reader. What is returned sends it, and resolves to the bytes of the answer. */
  open(view: LedgerView, reader: ListReader): Promise<() => Promise<number>>;
}

/** The sizes of pages. */
export const PAGE_SIZES = [20, 500];

/** A later page begins after so many records. */
const LATER_AFTER = 2_000;
const CONTEXT = { chainId: 1, at_time: '2026-01-01T00:00:00Z' };

const ALL_ASSETS: AssetQuery = { tracked: 'ANY', attributes: [], fields: [], order: 'newest' };
const ALL_EVENTS: EventQuery = { assetUuid: undefined, attributes: [], fields: [], times: [], order: 'newest' };

const equal = <M extends string>(map: M, name: string, value: string) => ({ map, name, is: 'equal' as const, value });
const OF_VENDOR = { attributes: [equal('attributes', 'vendor', vendorOf(3))] };
const THREE = {
  attributes: [
    equal('attributes', 'half', '1'),
    equal('attributes', 'site', siteOf(0)),
    { ...equal('attributes', 'status', statusOf(0)), is: 'different' as const },
  ],
};
const OF_TYPE = { attributes: [equal('event_attributes', 'arc_display_type', typeNameOf(0))] };
const OF_STATUS = { attributes: [equal('asset_attributes', 'status', statusOf(1))] };
const OF_ITS_VENDOR = { attributes: [equal('asset.attributes', 'vendor', vendorOf(3))] };

type List = (
  view: LedgerView,
  of: ListReader,
  page: PageQuery,
) => Promise<{ json: Uint8Array; nextPosition: string | undefined }>;

const findLater = async (list: (page: PageQuery) => ReturnType<List>): Promise<string | undefined> => {
  let position: string | undefined;
  for (let after = 0; after < LATER_AFTER; after += 500) {
    position = (await list({ limit: 500, position, isCounted: false })).nextPosition ?? position;
  }
  return position;
};

const toQuery = (
  title: string,
  list: List,
  { pageSize, isCounted, isLater = false }: { pageSize: number; isCounted: boolean; isLater?: boolean },
): SharingQuery => ({
  title,
  pageSize,
  open: async (view, of) => {
    const position = isLater ? await findLater((page) => list(view, of, page)) : undefined;
    return async () => (await list(view, of, { limit: pageSize, position, isCounted })).json.length;
  },
});

const listAssets =
  (query: Partial<AssetQuery>): List =>
  (view, { tenantIdentity, reader }, page) =>
    view.encodeAssetPage(tenantIdentity, { ...ALL_ASSETS, ...query, reader }, page, CONTEXT);

const listEvents =
  (query: Partial<EventQuery>): List =>
  (view, { tenantIdentity, reader }, page) =>
    view.encodeEventPage(tenantIdentity, { ...ALL_EVENTS, ...query, reader }, page);

/** The kinds of requests. Lists of events are always counted, as the server does. */
export const createSharingQueries = (): SharingQuery[] =>
  PAGE_SIZES.flatMap((pageSize) => {
    const plain = { pageSize, isCounted: false };
    const counted = { pageSize, isCounted: true };
    return [
      toQuery('assets', listAssets({}), plain),
      toQuery('assets, a later page', listAssets({}), { ...plain, isLater: true }),
      toQuery('assets, 1 filter', listAssets(OF_VENDOR), plain),
      toQuery('assets, 3 filters', listAssets(THREE), plain),
      toQuery('assets, counted', listAssets({}), counted),
      toQuery('assets, 1 filter, counted', listAssets(OF_VENDOR), counted),
      toQuery('events', listEvents({}), counted),
      toQuery('events, a later page', listEvents({}), { ...counted, isLater: true }),
      toQuery('events, 1 filter that 29 % meet', listEvents(OF_TYPE), counted),
      toQuery('events, 1 filter on what they set', listEvents(OF_STATUS), counted),
      toQuery('events, 1 filter on the asset', listEvents(OF_ITS_VENDOR), counted),
    ];
  });
