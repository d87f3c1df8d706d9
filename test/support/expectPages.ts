// Reads all pages of a list and compares them with the expected list.
import { expect } from 'chai';
import type { Page, PageQuery } from '../../indexer/ledgerView.ts';

/**
 * Asserts that every page but the last is full, that each is counted if `isCounted`, and that all together are the
 * expected items.
 */
export const expectPages = async <T>(
  list: (page: PageQuery) => Promise<Page<T>>,
  expected: readonly T[],
  { limit, isCounted }: { limit: number; isCounted: boolean },
): Promise<void> => {
  let position: string | undefined;
  for (let at = 0; at === 0 || position !== undefined; at += limit) {
    const page = await list({ limit, position, isCounted });
    expect(page.items).to.deep.equal(expected.slice(at, at + limit));
    expect(page.total).to.equal(isCounted ? expected.length : undefined);
    expect(page.nextPosition !== undefined).to.equal(at + limit < expected.length);
    position = page.nextPosition;
  }
};
