// Walks all pages of a list and compares them with what the list must be.
import { expect } from 'chai';
import type { Page, PageQuery } from '../../indexer/ledgerView.ts';

/** Every page but the last is full, each is counted as asked for, and all together are what is wanted. */
export const expectPages = async <T>(
  list: (page: PageQuery) => Promise<Page<T>>,
  wanted: readonly T[],
  { limit, isCounted }: { limit: number; isCounted: boolean },
): Promise<void> => {
  let after: string | undefined;
  for (let at = 0; at === 0 || after !== undefined; at += limit) {
    const page = await list({ limit, after, isCounted });
    expect(page.items).to.deep.equal(wanted.slice(at, at + limit));
    expect(page.total).to.equal(isCounted ? wanted.length : undefined);
    expect(page.next !== undefined).to.equal(at + limit < wanted.length);
    after = page.next;
  }
};
