// The policies that are about an asset, page by page: the pages of the ledger, without what the asset's attributes don't match.
import type { ListStoredPolicies, Page, PageQuery } from '../../indexer/ledgerView.ts';
import { isAbout } from '../../ledger/compliance/filterMatch.ts';
import type { Steps } from '../../ledger/compliance/steps.ts';
import type { Attributes } from '../../ledger/records/attributes.ts';
import type { PolicyResource } from '../../ledger/records/policy.ts';
import type { RunInSlices } from '../http/timeSlices.ts';

/** Policies whose bytes are read in one go: one has 64 KiB at most. */
const READ_AT_ONCE = 16;

export interface MatchingSource {
  readonly listPolicies: ListStoredPolicies;
  readonly runInSlices: RunInSlices;
  /** The asset's. */
  readonly attributes: Attributes;
}

type Cut = Omit<Page<PolicyResource>, 'total'>;

// Decoding one is a step of its own.
function* keepMatching(stored: readonly (() => PolicyResource)[], attributes: Attributes): Steps<PolicyResource[]> {
  const matching: PolicyResource[] = [];
  for (const decode of stored) {
    const policy = decode();
    yield;
    if (yield* isAbout(policy, attributes)) matching.push(policy);
  }
  return matching;
}

// Never asks for more than there is room for, so that a full page ends where one of the ledger does.
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

// Another page follows only where it has something to show.
const readPage = async (source: MatchingSource, query: Omit<PageQuery, 'isCounted'>): Promise<Cut> => {
  const page = await fillPage(source, query);
  if (page.nextPosition === undefined) return page;
  const following = await fillPage(source, { limit: 1, position: page.nextPosition });
  return following.items.length > 0 ? page : { ...page, nextPosition: undefined };
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
  const { items } = await fillPage(source, { limit: Number.MAX_SAFE_INTEGER, position: undefined });
  const isWhole = query.position === undefined && items.length <= query.limit;
  return { all: items, page: isWhole ? { items, nextPosition: undefined } : await readPage(source, query) };
};
