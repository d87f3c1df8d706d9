// Lists that are searched, and what they find.
import { expect } from 'chai';
import type { RequestOptions, ServerAnswer } from './testServer.ts';

/** A query, and the names that it finds, separated by spaces. */
export type FilterCase = readonly [query: string, names: string];

/** Registers a test for each case. `list` sends the query and returns the names in their order. */
export const itFinds = (list: (query: string) => Promise<string>, cases: readonly FilterCase[]): void => {
  for (const [query, names] of cases) {
    it(`?${query} returns ${names === '' ? 'nothing' : names}`, async () => {
      expect(await list(query)).to.equal(names);
    });
  }
};

/**
 * What sends a query of a list with one page and returns the names of its items, separated by spaces. Their number must
 * be the total that the answer has. `member`: that of the body with the items.
 */
export const toNames =
  (get: (query: string, options: RequestOptions) => Promise<ServerAnswer>, member: string) =>
  async (query: string): Promise<string> => {
    const asked = { headers: { 'X-Request-Total-Count': 'true' } };
    const { status, body, headers } = await get(`?page_size=50&${query}`, asked);
    expect([query, status]).to.eql([query, 200]);
    expect(headers.get('x-total-count')).to.equal(String(body[member].length));
    return body[member].map((at: { display_name: string }) => at.display_name).join(' ');
  };

/** Names and descriptions of the items that `NAME_CASES` are about, oldest first. The one named `gone` is deleted. */
export const NAMED = [
  { display_name: 'Zürich', description: 'south' },
  { display_name: 'Depot', description: '' },
  { display_name: 'yard', description: 'north' },
  { display_name: 'gone', description: '' },
  { display_name: 'Depot', description: 'north' },
  { display_name: '\u{1f6aa}', description: '' },
];

/** What lists of `NAMED` find. */
export const NAME_CASES: readonly FilterCase[] = [
  ['', '\u{1f6aa} Depot yard Depot Zürich'],
  ['order_by=DEFAULT', '\u{1f6aa} Depot yard Depot Zürich'],
  ['order_by=DISPLAY_NAME', 'Depot Depot Zürich yard \u{1f6aa}'],
  ['display_name=Depot', 'Depot Depot'],
  ['display_name=depot', ''],
  ['display_name=gone', ''],
  ['description=north', 'Depot yard'],
  ['description=north&order_by=DISPLAY_NAME', 'Depot yard'],
];
