// Lists page by page (decisions.md points 10 and 11): exactly `page_size` records, or without it the server's limit and 206.
import type { Page, PageQuery } from '../indexer/ledgerView.ts';
import type { ServerLimits } from './deps.ts';
import { type PageFilters, type PageTokens, refusePageToken } from './pageTokens.ts';

interface PagingDeps {
  readonly pageTokens: PageTokens;
  readonly limits: Pick<ServerLimits, 'listRecordsMax'>;
}

export interface ListRequest {
  readonly tenantIdentity: string;
  /** Which list, without the prefix that the request came in on: `assets`, say. */
  readonly list: string;
  readonly query: Readonly<Record<string, string | number | boolean | undefined>> & {
    readonly page_size?: number;
    readonly page_token?: string;
  };
  /** Values of the parameters that the client did not give. */
  readonly defaults?: PageFilters;
}

/** What is the same for every list in the answer to a page. */
export interface ListAnswer {
  readonly status: 200 | 206;
  readonly nextPageToken: string;
  /** `content-range` of a page that was cut. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface OpenPage {
  readonly page: PageQuery;
  toListAnswer(page: Pick<Page<unknown>, 'next' | 'total'>): ListAnswer;
}

interface Position {
  readonly filters: PageFilters;
  readonly pageSize: number | null;
  readonly after: string | undefined;
}

const toGivenFilters = ({ page_size: _size, page_token: _token, ...given }: ListRequest['query']): PageFilters =>
  Object.fromEntries(Object.entries(given).filter((entry) => entry[1] !== undefined)) as PageFilters;

const toScope = ({ tenantIdentity, list }: ListRequest): string => JSON.stringify([tenantIdentity, list]);

const toFirstPosition = ({ query, defaults }: ListRequest): Position => ({
  filters: { ...defaults, ...toGivenFilters(query) },
  pageSize: query.page_size ?? null,
  after: undefined,
});

const toLaterPosition = (pageTokens: PageTokens, request: ListRequest, token: string): Position => {
  const { filters, pageSize, position } = pageTokens.decode(toScope(request), token);
  const given = Object.entries(toGivenFilters(request.query));
  if (given.some(([name, value]) => filters[name] !== value)) throw refusePageToken();
  return { filters, pageSize: request.query.page_size ?? pageSize, after: position };
};

/**
 * Opens the page that a request asks for.
 * @throws LedgerError PAGE_TOKEN_INVALID.
 */
export const openPage = ({ pageTokens, limits }: PagingDeps, request: ListRequest): OpenPage => {
  const token = request.query.page_token;
  const position = token === undefined ? toFirstPosition(request) : toLaterPosition(pageTokens, request, token);
  const limit = position.pageSize ?? limits.listRecordsMax;
  const { filters, pageSize } = position;
  return {
    page: { limit, after: position.after },
    toListAnswer: ({ next, total }) => {
      if (next === undefined) return { status: 200, nextPageToken: '', headers: {} };
      const nextPageToken = pageTokens.encode(toScope(request), { filters, pageSize, position: next });
      if (pageSize !== null) return { status: 200, nextPageToken, headers: {} };
      return { status: 206, nextPageToken, headers: { 'content-range': `items 0-${limit}/${total}` } };
    },
  };
};
