// What the lists of the explorer do with their records: sort them.
import { expect } from 'chai';
import { sortRecords, toNextSort } from '../../explorer/text/sorting.ts';

describe('the lists of the explorer', () => {
  const records = [
    { name: 'Gauge 10', degrees: 9 },
    { name: 'gauge 9', degrees: -18 },
    { name: 'Älter', degrees: 100 },
  ];
  const columns = [
    { title: 'Name', sortBy: ({ name }: { name: string }) => name },
    { title: 'Degrees', sortBy: ({ degrees }: { degrees: number }) => degrees },
    { title: 'Other' },
  ];
  const sort = (by: string | null) => sortRecords(records, columns, by).map(({ degrees }) => degrees);

  it('sort text as people do, and numbers by value, also in reverse', () => {
    expect(sort('Name')).to.deep.equal([100, -18, 9]);
    expect(sort('-Name')).to.deep.equal([9, -18, 100]);
    expect(sort('Degrees')).to.deep.equal([-18, 9, 100]);
  });

  it('keep their own order where the address names no column that sorts', () => {
    for (const by of [null, '', '-', 'Other', 'name', '--Name']) expect(sort(by), `${by}`).to.deep.equal([9, -18, 100]);
  });

  it('take a column, its reverse and their own order in turn', () => {
    expect(toNextSort('Name', null)).to.equal('Name');
    expect(toNextSort('Name', 'Name')).to.equal('-Name');
    expect(toNextSort('Name', '-Name')).to.equal(undefined);
    expect(toNextSort('Name', 'Degrees')).to.equal('Name');
  });
});
