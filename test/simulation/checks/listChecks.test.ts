// The check of the number of items that the pages of a walk have together.
import { expect } from 'chai';
import type { ListWalk } from '../clients/history.ts';
import { checkLists, type ListCheckInput } from './listChecks.ts';

const toWalk = (pages: readonly (readonly string[])[], changed: Partial<ListWalk> = {}): ListWalk => ({
  list: 'assets',
  tenantIdentity: `tenant/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`,
  streamIdentity: undefined,
  order: 'DEFAULT',
  pageSize: 1,
  pages: pages.map((identities, at) => ({
    sentMs: at,
    atMs: at,
    total: 3,
    isLast: at === pages.length - 1,
    items: identities.map((identity) => ({ identity })),
  })),
  ...changed,
});

const namesOf = (walk: ListWalk): string[] => {
  const history = { requests: [], walks: [walk], lastFromMs: Number.POSITIVE_INFINITY };
  const input = { history, records: [], failed: [], removals: new Map(), others: [] };
  return checkLists(input as unknown as ListCheckInput).map(({ check }) => check);
};
const NAME = 'pages have each record of the first page’s moment';

describe('the check of the number of items of a walk', () => {
  it('accepts as many as the first page counts, and more', () => {
    expect(namesOf(toWalk([['a'], ['b'], ['c']]))).not.to.include(NAME);
    expect(namesOf(toWalk([['a'], ['b'], ['c'], ['d']]))).not.to.include(NAME);
  });

  it('finds fewer', () => expect(namesOf(toWalk([['a'], ['b']]))).to.include(NAME));

  it('leaves out a walk that did not end, and an order in which items move', () => {
    const [first] = toWalk([['a'], ['b']]).pages;
    expect(namesOf(toWalk([], { pages: [{ ...first!, isLast: false }] }))).not.to.include(NAME);
    expect(namesOf(toWalk([['a'], ['b']], { list: 'locations', order: 'DISPLAY_NAME' }))).not.to.include(NAME);
  });
});
