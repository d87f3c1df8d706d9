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
  /** Newest first. */
  readonly events: readonly LedgerEvent[];
  /** How many the asset has in all. */
  readonly total: number;
  /** Token of the next page; empty on the last one. */
  readonly next: string;
}

/** Reads a page of an asset's events; the first one with an empty token. */
export const fetchEvents = async (
  { uuid, isPublic }: ShownAsset,
  pageToken: string,
  signal: AbortSignal | null,
): Promise<EventsPage> => {
  const query = { page_size: ANSWERED_AT_ONCE, page_token: pageToken };
  const options = { params: { path: { asset_uuid: uuid }, query }, signal };
  const asked = isPublic
    ? api.GET('/v2/publicassets/{asset_uuid}/events', options)
    : api.GET('/v2/assets/{asset_uuid}/events', options);
  const { body, headers } = await receive(asked);
  return { events: body.events, total: Number(headers.get('x-total-count')), next: body.next_page_token };
};
