// The policies that are about an asset, page by page: the pages of the view, without what the asset's attributes don't match.
import type { LedgerView, Page, PageQuery } from '../indexer/ledgerView.ts';
import type { Attributes } from '../ledger/attributes.ts';
import { matchesFilter } from '../ledger/compliance/assetFilter.ts';
import type { PolicyResource } from '../ledger/resources.ts';

const NEWEST = { fields: [], order: 'newest' } as const;

export interface MatchingSource {
  readonly view: Pick<LedgerView, 'listPolicies'>;
  readonly tenantIdentity: string;
  /** The asset's. */
  readonly attributes: Attributes;
}

type Cut = Omit<Page<PolicyResource>, 'total'>;

// Never asks for more than there is room for, so that a full page ends where one of the view does.
const fillPage = async (source: MatchingSource, { limit, after }: Omit<PageQuery, 'isCounted'>): Promise<Cut> => {
  const { view, tenantIdentity, attributes } = source;
  const items: PolicyResource[] = [];
  let next = after;
  do {
    const query = { limit: limit - items.length, after: next, isCounted: false };
    const page = await view.listPolicies(tenantIdentity, NEWEST, query);
    items.push(...page.items.filter(({ asset_filter }) => matchesFilter(asset_filter, attributes)));
    next = page.next;
  } while (items.length < limit && next !== undefined);
  return { items, next };
};

// Another page follows only where it has something to show.
const readPage = async (source: MatchingSource, query: Omit<PageQuery, 'isCounted'>): Promise<Cut> => {
  const page = await fillPage(source, query);
  if (page.next === undefined) return page;
  const following = await fillPage(source, { limit: 1, after: page.next });
  return following.items.length > 0 ? page : { ...page, next: undefined };
};

export interface MatchingPolicies {
  /** All that match, the newest first. */
  readonly all: readonly PolicyResource[];
  /** One page of them. */
  readonly page: Cut;
}

/** The policies that match, and one page of them. */
export const readMatchingPolicies = async (
  source: MatchingSource,
  query: Omit<PageQuery, 'isCounted'>,
): Promise<MatchingPolicies> => {
  const { items } = await fillPage(source, { limit: Number.MAX_SAFE_INTEGER, after: undefined });
  const isWhole = query.after === undefined && items.length <= query.limit;
  return { all: items, page: isWhole ? { items, next: undefined } : await readPage(source, query) };
};
