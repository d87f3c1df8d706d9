import { expect } from 'chai';
import type { LocationQuery } from '../../../indexer/ledgerView.ts';
import { toLocationIdentity } from '../../../ledger/identity.ts';
import { ALPHA, aLocationRecord, aTenantRecord, uuidOf } from '../../support/records.ts';
import { readPages, useView } from '../../support/viewFixture.ts';

const LOCATIONS = 900;
const gateOf = (number: number): string => (number % 3 === 0 ? 'A' : 'B');
const nameOf = (number: number): string => `place ${(number * 7) % 100}`;

describe('locations in the order of names', () => {
  const fixture = useView(({ mine }) => {
    const records = Array.from({ length: LOCATIONS }, (_, number) => ({
      record: aLocationRecord(number, { display_name: nameOf(number), attributes: { gate: gateOf(number) } }),
    }));
    return mine({ record: aTenantRecord(ALPHA) }, ...records);
  });

  const expected = (gate: string | undefined): string[] =>
    Array.from({ length: LOCATIONS }, (_, number) => number)
      .filter((number) => gate === undefined || gateOf(number) === gate)
      .map((number) => ({ name: nameOf(number), identity: toLocationIdentity(uuidOf(number)) }))
      .sort((a, b) => (a.name === b.name ? (a.identity < b.identity ? -1 : 1) : a.name < b.name ? -1 : 1))
      .map(({ identity }) => identity);

  // A third of them are few enough to be sorted; two thirds are searched in the order of names.
  for (const gate of ['A', 'B', undefined]) {
    for (const limit of [1_000, 170]) {
      it(`are listed completely, each once, in pages of ${limit}, with ${gate ?? 'any'} gate`, async () => {
        const attributes = gate === undefined ? [] : [{ map: 'attributes', name: 'gate', is: 'equal', value: gate }];
        const query = { attributes, fields: [], order: 'displayName' } as LocationQuery;
        const pages = await readPages((page) => fixture.view.listLocations(ALPHA, query, page), limit);
        expect(pages.flatMap(({ items }) => items.map(({ identity }) => identity))).to.deep.equal(expected(gate));
      });
    }
  }
});
