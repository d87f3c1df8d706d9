// Pages of assets and events: the tenant's own, and those that are shared with the reader that a query names.
import type { Asset } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { AssetQuery, EncodedPage, EventQuery, Page, PageQuery } from '../ledgerView.ts';
import { readAssetPage } from './assetPages.ts';
import { toJsonList } from './eventJson.ts';
import { type EventSource, encodeEventPage, readEventPage } from './eventPages.ts';
import type { AssetSource } from './matchingAssets.ts';
import { ENCODED_FORMAT, PLAIN_FORMAT } from './sharing/sharedItems.ts';
import { findAssetTenants, findEventTenants, readSharedAssetPage, readSharedEventPage } from './sharing/sharedPages.ts';

/** One page of assets. */
export const readListedAssets = async (
  source: AssetSource,
  query: AssetQuery,
  page: PageQuery,
): Promise<Page<Asset>> => {
  const listed = await findAssetTenants(source, query, page);
  return listed === undefined ? readAssetPage(source, query, page) : readSharedAssetPage(source, query, page, listed);
};

/** One page of events. */
export const readListedEvents = async (
  source: EventSource,
  query: EventQuery,
  page: PageQuery,
): Promise<Page<EventResource>> => {
  const listed = await findEventTenants(source, query, page);
  if (listed === undefined) return readEventPage(source, query, page);
  return readSharedEventPage(source, query, page, listed, PLAIN_FORMAT);
};

/** The same page as JSON. */
export const encodeEvents = async (source: EventSource, query: EventQuery, page: PageQuery): Promise<EncodedPage> => {
  const listed = await findEventTenants(source, query, page);
  if (listed === undefined) return encodeEventPage(source, query, page);
  const { items, ...rest } = await readSharedEventPage(source, query, page, listed, ENCODED_FORMAT);
  return { ...rest, json: toJsonList(items) };
};
