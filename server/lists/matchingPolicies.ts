// The policies that apply to an asset, page by page: the pages of the ledger, without the policies whose filter the
// asset's attributes don't match.
import type { ListStoredPolicies, Page, PageQuery } from '../../indexer/ledgerView.ts';
import { isAbout } from '../../ledger/compliance/filterMatch.ts';
import type { Steps } from '../../ledger/compliance/steps.ts';
import type { Attributes } from '../../ledger/records/attributes.ts';
import type { PolicyResource } from '../../ledger/records/policy.ts';
import type { RunInSlices } from '../http/timeSlices.ts';

/** Policies that are read together; each has 64 KiB at most. */
const READ_AT_ONCE = 16;

/** The policies of a tenant, and the asset that they may apply to. */
export interface MatchingSource {
  readonly listPolicies: ListStoredPolicies;
  readonly runInSlices: RunInSlices;
  /** Attributes of the asset. */
  readonly attributes: Attributes;
}

type Cut = Omit<Page<PolicyResource>, 'total'>;

// Decodes each policy in a step of its own.
function* keepMatching(stored: readonly (() => PolicyResource)[], attributes: Attributes): Steps<PolicyResource[]> {
  const matching: PolicyResource[] = [];
  for (const decode of stored) {
    const policy = decode();
    yield;
    if (yield* isAbout(policy, attributes)) matching.push(policy);
  }
  return matching;
}

// Never reads more policies than the page still needs, so that a full page ends where a page of the ledger ends.
const fillPage = async (source: MatchingSource, { limit, position }: Omit<PageQuery, 'isCounted'>): Promise<Cut> => {
  const items: PolicyResource[] = [];
  let nextPosition = position;
  do {
    const query = { limit: Math.min(limit - items.length, READ_AT_ONCE), position: nextPosition, isCounted: false };
    const page = await source.listPolicies(query);
    items.push(...(await source.runInSlices(keepMatching(page.items, source.attributes))));
    nextPosition = page.nextPosition;
  } while (items.length < limit && nextPosition !== undefined);
  return { items, nextPosition };
};

// Reads ahead, so that a next page is announced only when it has a policy.
const readPage = async (source: MatchingSource, query: Omit<PageQuery, 'isCounted'>): Promise<Cut> => {
  const page = await fillPage(source, query);
  if (page.nextPosition === undefined) return page;
  const following = await fillPage(source, { limit: 1, position: page.nextPosition });
  return following.items.length > 0 ? page : { ...page, nextPosition: undefined };
};

/** The policies that apply to an asset. */
export interface MatchingPolicies {
  /** All of them, the newest first. */
  readonly all: readonly PolicyResource[];
  /** One page of them. */
  readonly page: Cut;
}

/** Reads all policies that apply to the asset, and one page of them. */
export const readMatchingPolicies = async (
  source: MatchingSource,
  query: Omit<PageQuery, 'isCounted'>,
): Promise<MatchingPolicies> => {
  const { items } = await fillPage(source, { limit: Number.MAX_SAFE_INTEGER, position: undefined });
  const isComplete = query.position === undefined && items.length <= query.limit;
  return { all: items, page: isComplete ? { items, nextPosition: undefined } : await readPage(source, query) };
};
