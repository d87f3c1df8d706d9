// Walks all pages of a list and compares them with what the list must be.
import { expect } from 'chai';
import type { Page, PageQuery } from '../../indexer/ledgerView.ts';

/** Every page but the last is full, each is counted as asked for, and all together are what is wanted. */
export const expectPages = async <T>(
  list: (page: PageQuery) => Promise<Page<T>>,
  wanted: readonly T[],
  { limit, isCounted }: { limit: number; isCounted: boolean },
): Promise<void> => {
  let position: string | undefined;
  for (let at = 0; at === 0 || position !== undefined; at += limit) {
    const page = await list({ limit, position, isCounted });
    expect(page.items).to.deep.equal(wanted.slice(at, at + limit));
    expect(page.total).to.equal(isCounted ? wanted.length : undefined);
    expect(page.nextPosition !== undefined).to.equal(at + limit < wanted.length);
    position = page.nextPosition;
  }
};
