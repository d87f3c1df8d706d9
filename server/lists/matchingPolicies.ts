// The policies that apply to an asset, page by page: the pages of the ledger, without the policies whose filter the
// asset's attributes don't match. They are compliance policies or access policies.
import type { Page, PageQuery } from '../../indexer/ledgerView.ts';
import type { Steps } from '../../ledger/compliance/steps.ts';
import type { RunInSlices } from '../fairness/timeSlices.ts';

/** Policies that are read together; each has 64 KiB at most. */
const READ_AT_ONCE = 16;

/** The policies of a tenant, and the asset that they may apply to. */
export interface MatchingSource<T> {
  /** Lists all policies, newest first. Each is decoded only when its function is called. */
  readonly listPolicies: (page: PageQuery) => Promise<Page<() => T>>;
  readonly runInSlices: RunInSlices;
  /** Whose turns are used. */
  readonly party: string;
  /** Whether the policy's filter matches the asset. */
  readonly isMatching: (policy: T) => Steps<boolean>;
}

type Cut<T> = Omit<Page<T>, 'total'>;

// Decodes each policy in a step of its own.
function* keepMatching<T>(stored: readonly (() => T)[], isMatching: MatchingSource<T>['isMatching']): Steps<T[]> {
  const matching: T[] = [];
  for (const decode of stored) {
    const policy = decode();
    yield;
    if (yield* isMatching(policy)) matching.push(policy);
  }
  return matching;
}

// Never reads more policies than the page still needs, so that a full page ends where a page of the ledger ends.
const fillPage = async <T>(
  source: MatchingSource<T>,
  { limit, position }: Omit<PageQuery, 'isCounted'>,
): Promise<Cut<T>> => {
  const items: T[] = [];
  let nextPosition = position;
  do {
    const query = { limit: Math.min(limit - items.length, READ_AT_ONCE), position: nextPosition, isCounted: false };
    const page = await source.listPolicies(query);
    items.push(...(await source.runInSlices(source.party, keepMatching(page.items, source.isMatching))));
    nextPosition = page.nextPosition;
  } while (items.length < limit && nextPosition !== undefined);
  return { items, nextPosition };
};

// Reads ahead, so that a next page is announced only when it has a policy.
const readPage = async <T>(source: MatchingSource<T>, query: Omit<PageQuery, 'isCounted'>): Promise<Cut<T>> => {
  const page = await fillPage(source, query);
  if (page.nextPosition === undefined) return page;
  const following = await fillPage(source, { limit: 1, position: page.nextPosition });
  return following.items.length > 0 ? page : { ...page, nextPosition: undefined };
};

/** The policies that apply to an asset. */
export interface MatchingPolicies<T> {
  /** All of them, the newest first. */
  readonly all: readonly T[];
  /** One page of them. */
  readonly page: Cut<T>;
}

/** Reads all policies that apply to the asset, and one page of them. */
export const readMatchingPolicies = async <T>(
  source: MatchingSource<T>,
  query: Omit<PageQuery, 'isCounted'>,
): Promise<MatchingPolicies<T>> => {
  const { items } = await fillPage(source, { limit: Number.MAX_SAFE_INTEGER, position: undefined });
  const isComplete = query.position === undefined && items.length <= query.limit;
  return { all: items, page: isComplete ? { items, nextPosition: undefined } : await readPage(source, query) };
};
