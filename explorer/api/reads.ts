// Reads of assets and events: those that the token may see, or the public ones.
import { type AssetAnswer, api, type LedgerEvent, receive } from './client.ts';

const ANSWERED_AT_ONCE = 200;

/** Which asset, and whether as everybody sees it. */
export interface ShownAsset {
  readonly uuid: string;
  readonly isPublic: boolean;
}

/** Reads an asset as it was at a time (RFC 3339), or now. */
export const fetchAsset = async (
  { uuid, isPublic }: ShownAsset,
  at: string | undefined,
  signal: AbortSignal,
): Promise<AssetAnswer> => {
  const options = { params: { path: { uuid }, query: at === undefined ? {} : { at_time: at } }, signal };
  const asked = isPublic ? api.GET('/v2/publicassets/{uuid}', options) : api.GET('/v2/assets/{uuid}', options);
  return (await receive(asked)).body;
};

/** Reads an event of an asset. */
export const fetchEvent = async (
  { uuid, isPublic }: ShownAsset,
  eventUuid: string,
  signal: AbortSignal,
): Promise<LedgerEvent> => {
  const options = { params: { path: { asset_uuid: uuid, uuid: eventUuid } }, signal };
  const asked = isPublic
    ? api.GET('/v2/publicassets/{asset_uuid}/events/{uuid}', options)
    : api.GET('/v2/assets/{asset_uuid}/events/{uuid}', options);
  return (await receive(asked)).body;
};

/** A page of an asset's events. */
export interface EventsPage {
  readonly events: readonly LedgerEvent[];
  /** How many there are in all. */
  readonly total: number;
  /** Token of the next page; empty on the last one. */
  readonly next: string;
}

/** Which events of an asset. */
export interface AcceptedRange {
  /** Accepted after this time (RFC 3339). */
  readonly since?: string;
  /** Accepted before this time (RFC 3339). */
  readonly before?: string;
  /** In the order of their acceptance; otherwise newest first. */
  readonly isOldestFirst?: boolean;
  /** Token of the page; empty: the first one. */
  readonly pageToken?: string;
  readonly size?: number;
}

const toQuery = ({ since, before, isOldestFirst, pageToken, size }: AcceptedRange) => ({
  page_size: size ?? ANSWERED_AT_ONCE,
  page_token: pageToken ?? '',
  ...(since === undefined ? {} : { timestamp_accepted_since: since }),
  ...(before === undefined ? {} : { timestamp_accepted_before: before }),
  ...(isOldestFirst === true ? { order_by: 'SIMPLEHASHV2' as const } : {}),
});

/** Reads a page of an asset's events in a range of time. */
export const fetchEventRange = async (
  { uuid, isPublic }: ShownAsset,
  range: AcceptedRange,
  signal: AbortSignal | null,
): Promise<EventsPage> => {
  const options = { params: { path: { asset_uuid: uuid }, query: toQuery(range) }, signal };
  const asked = isPublic
    ? api.GET('/v2/publicassets/{asset_uuid}/events', options)
    : api.GET('/v2/assets/{asset_uuid}/events', options);
  const { body, headers } = await receive(asked);
  return { events: body.events, total: Number(headers.get('x-total-count')), next: body.next_page_token };
};

/** Reads a page of an asset's events, newest first; the first one with an empty token. */
export const fetchEvents = (asset: ShownAsset, pageToken: string, signal: AbortSignal | null): Promise<EventsPage> =>
  fetchEventRange(asset, { pageToken }, signal);

/** Reads a page of the assets that a query matches, and how many there are in all. */
export const fetchAssetPage = async (query: Readonly<Record<string, string | number>>, signal: AbortSignal) => {
  const header = { 'x-request-total-count': 'true' } as const;
  const { body, headers } = await receive(api.GET('/v2/assets', { params: { query, header }, signal }));
  return { ...body, total: Number(headers.get('x-total-count')) };
};
