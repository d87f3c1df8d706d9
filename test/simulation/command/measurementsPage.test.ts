// docs/measurements/simulation.md has the search of each planted defect that there is.
import { expect } from 'chai';
import { readSource } from '../../support/sources.ts';
import { defects } from '../defects/defects.ts';

const ROW = /^\| `([a-z-]+)`: .* \| (\d+|not found) \| [\d.]+ \| (?:clean|fails) \|/gm;

describe('the recorded search of planted defects', () => {
  const page = readSource('docs/measurements/simulation.md');
  const rows = [...page.matchAll(ROW)].map(([, name, seeds]) => ({ name, seeds }));

  it('has each defect, in the order of their list', () => {
    expect(rows.map(({ name }) => name)).to.deep.equal(defects.map(({ name }) => name));
  });

  it('has a seed that found each of them, within 2,000', () => {
    expect(rows).not.to.deep.equal([]);
    expect(rows.filter(({ seeds }) => !(Number(seeds) >= 1 && Number(seeds) <= 2_000))).to.deep.equal([]);
  });
});
