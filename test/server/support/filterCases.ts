import { expect } from 'chai';

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
