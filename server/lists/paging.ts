// Pages of lists (decisions 10 and 11): `page_size` records; without `page_size` the server's limit, and status 206 if
// there are more.
import type { EncodedPage, Page, PageQuery } from '../../indexer/ledgerView.ts';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import type { ServerLimits } from '../limits.ts';
import { type PageFilters, type PageTokens, refusePageToken } from './pageTokens.ts';

interface PagingDeps {
  readonly pageTokens: PageTokens;
  readonly limits: Pick<ServerLimits, 'listRecordsMax'>;
}

interface ListQuery {
  readonly page_size?: number;
  readonly page_token?: string;
  readonly attribute_filters?: PageFilters;
  readonly [filter: string]: string | number | boolean | PageFilters | undefined;
}

/** A request for one page of a list. */
export interface ListRequest {
  readonly tenantIdentity: string;
  /** Name of the list, without the prefix of the request's path: `assets`, say. */
  readonly list: string;
  readonly query: ListQuery;
  /** Values of the parameters that the client left out. */
  readonly defaults: PageFilters;
  /** Records on a page at most, also when the client requests more; no limit unless given. */
  readonly recordsMax?: number;
  /** Whether the answer has the number of matching records. */
  readonly isTotalRequested: boolean;
}

/** The parts of an answer that all lists share. */
export interface ListAnswer {
  readonly status: 200 | 206;
  readonly nextPageToken: string;
  /** `x-total-count` when it was requested, and `content-range` of a page that was cut at the server's limit. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A request for one page of a list that compares a parameter with the clock. */
export interface DatedListRequest extends ListRequest {
  /** The time of this request, in milliseconds since the epoch. */
  readonly nowMs: number;
}

/** The query of a page, and the conversion of the page that was read to an answer. */
export interface OpenPage {
  /** Filters and order; of a later page, those of the first. */
  readonly filters: PageFilters;
  readonly page: PageQuery;
  /** `kept`: what the token of the next page has besides the filters; later pages find it among them. */
  toListAnswer(page: Pick<Page<unknown>, 'nextPosition' | 'total'>, kept?: PageFilters): ListAnswer;
}

/** The same of a list that compares a parameter with the clock. */
export interface OpenDatedPage extends OpenPage {
  /** The time of the request for the first page, in milliseconds since the epoch. */
  readonly requestedMs: number;
}

/** The page of a list in which nothing can match. */
export const EMPTY_PAGE: Page<never> = { items: [], nextPosition: undefined, total: 0 };

/** The same page as JSON. */
export const EMPTY_ENCODED_PAGE: EncodedPage = { json: Buffer.from('[]'), nextPosition: undefined, total: 0 };

interface Continuation {
  readonly filters: PageFilters;
  readonly pageSize: number | null;
  readonly position: string | undefined;
}

const toGivenFilters = ({ page_size: _, page_token: __, attribute_filters, ...single }: ListQuery): PageFilters => {
  const given = Object.entries(single).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return { ...Object.fromEntries(given), ...attribute_filters };
};

const toScope = ({ tenantIdentity, list }: ListRequest): string => JSON.stringify([tenantIdentity, list]);

const openFirst = ({ query, defaults }: ListRequest): Continuation => ({
  filters: { ...defaults, ...toGivenFilters(query) },
  pageSize: query.page_size ?? null,
  position: undefined,
});

const openLater = (pageTokens: PageTokens, request: ListRequest, token: string): Continuation => {
  const { filters, pageSize, position } = pageTokens.decode(toScope(request), token);
  const given = Object.entries(toGivenFilters(request.query));
  if (given.some(([name, value]) => filters[name] !== value)) throw refusePageToken();
  return { filters, pageSize: request.query.page_size ?? pageSize, position };
};

/** Whether the value of `x-request-total-count` requests a count. */
export const isCountRequested = (header: string | undefined): boolean => header?.toLowerCase() === 'true';

/**
 * Opens the page that a client requests.
 * @throws LedgerError PAGE_TOKEN_INVALID.
 */
export const openPage = ({ pageTokens, limits }: PagingDeps, request: ListRequest): OpenPage => {
  const token = request.query.page_token;
  const { filters, pageSize, position } =
    token === undefined ? openFirst(request) : openLater(pageTokens, request, token);
  const { isTotalRequested, recordsMax = Number.POSITIVE_INFINITY } = request;
  const limit = Math.min(pageSize ?? limits.listRecordsMax, recordsMax);
  return {
    filters,
    // A page that may be cut says how many there are.
    page: { limit, position, isCounted: isTotalRequested || pageSize === null },
    toListAnswer: ({ nextPosition, total }, kept = {}) => {
      const counted: Record<string, string> = isTotalRequested ? { 'x-total-count': String(total) } : {};
      if (nextPosition === undefined) return { status: 200, nextPageToken: '', headers: counted };
      const content = { filters: { ...filters, ...kept }, pageSize, position: nextPosition };
      const nextPageToken = pageTokens.encode(toScope(request), content);
      if (pageSize !== null) return { status: 200, nextPageToken, headers: counted };
      return { status: 206, nextPageToken, headers: { ...counted, 'content-range': `items 0-${limit}/${total}` } };
    },
  };
};

/** What the page token has of the first request. No parameter has this name, so no client sends it. */
const REQUESTED_AT = 'asked_at';

/**
 * Opens the page of a list that compares a parameter with the clock: all pages compare it with the time of the first
 * request, so that a moment that passes between two pages doesn't change the list.
 * @throws LedgerError PAGE_TOKEN_INVALID.
 */
export const openDatedPage = (deps: PagingDeps, { nowMs, ...request }: DatedListRequest): OpenDatedPage => {
  const requestedAt = toTimestamp(nowMs);
  const opened = openPage(deps, { ...request, defaults: { ...request.defaults, [REQUESTED_AT]: requestedAt } });
  // Tokens of lists that didn't keep the time yet lack it.
  return { ...opened, requestedMs: Date.parse(opened.filters[REQUESTED_AT] ?? requestedAt) };
};
