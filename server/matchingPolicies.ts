// The policies that are about an asset, page by page: the pages of the ledger, without what the asset's attributes don't match.
import type { ListPolicies, Page, PageQuery } from '../indexer/ledgerView.ts';
import type { Attributes } from '../ledger/attributes.ts';
import { isAbout } from '../ledger/compliance/filterMatch.ts';
import type { Steps } from '../ledger/compliance/steps.ts';
import type { PolicyResource } from '../ledger/resources.ts';
import type { KeepPolicy } from './keptPolicies.ts';
import type { RunInTurns } from './turns.ts';

const NEWEST = { fields: [], order: 'newest' } as const;

/** Policies that are read, and parsed from JSON, in one go: one has 64 KiB at most. */
const READ_AT_ONCE = 16;

export interface MatchingSource {
  readonly listPolicies: ListPolicies;
  readonly runInTurns: RunInTurns;
  readonly keepPolicy: KeepPolicy;
  readonly tenantIdentity: string;
  /** The asset's. */
  readonly attributes: Attributes;
}

type Cut = Omit<Page<PolicyResource>, 'total'>;

function* keepMatching(
  { keepPolicy, tenantIdentity, attributes }: MatchingSource,
  policies: readonly PolicyResource[],
): Steps<PolicyResource[]> {
  const matching: PolicyResource[] = [];
  for (const policy of policies) {
    const kept = keepPolicy(tenantIdentity, policy);
    if (yield* isAbout(kept, attributes)) matching.push(kept);
    yield;
  }
  return matching;
}

// Never asks for more than there is room for, so that a full page ends where one of the ledger does.
const fillPage = async (source: MatchingSource, { limit, after }: Omit<PageQuery, 'isCounted'>): Promise<Cut> => {
  const items: PolicyResource[] = [];
  let next = after;
  do {
    const query = { limit: Math.min(limit - items.length, READ_AT_ONCE), after: next, isCounted: false };
    const page = await source.listPolicies(NEWEST, query);
    items.push(...(await source.runInTurns(keepMatching(source, page.items))));
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
