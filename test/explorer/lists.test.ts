// What the lists of the explorer do with their records: sort them, and write them as CSV.
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { createTabTurns } from '../../explorer/state/turns.ts';
import { toCsv } from '../../explorer/text/csv.ts';
import { sortRecords, toNextSort } from '../../explorer/text/sorting.ts';

const toCsvText = async (records: readonly object[]): Promise<string> =>
  (await toCsv(records, createTabTurns(new AbortController().signal))).join('');

/** A clock that each look at it advances by a millisecond. */
const createClock = () => {
  let ms = 0;
  return () => {
    ms += 1;
    return ms;
  };
};

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

  it('are CSV with a column for each member that a record has', async () => {
    const csv = await toCsvText([
      { identity: 'assets/1', attributes: { name: 'a "b", c\nd', list: [{ x: 'y' }] }, public: false },
      { identity: 'assets/2', attributes: { other: 'é' }, public: null },
    ]);
    expect(csv).to.equal(
      [
        '\uFEFFidentity,attributes.name,attributes.list,public,attributes.other',
        'assets/1,"a ""b"", c\nd","[{""x"":""y""}]",false,',
        'assets/2,,,,é',
        '',
      ].join('\r\n'),
    );
  });

  it('have no formula in CSV, and keep numbers with a sign', async () => {
    const texts = ['=1+1', '+cmd', '-2+3', '@SUM(1)', '\tx', '\rx', '-18', '+49.5', '-1e', 'a=1'];
    const csv = await toCsvText(texts.map((text) => ({ text })));
    const cells = csv.split('\r\n').slice(1, -1);
    expect(cells.map((cell) => cell.replaceAll('"', '').startsWith("'"))).to.deep.equal([
      ...Array(6).fill(true),
      false,
      false,
      true,
      false,
    ]);
  });

  it('become CSV in pieces of 20 ms, between which others have a turn', async () => {
    const records = Array.from({ length: 1_000 }, (_, at) => ({ at }));
    let isDone = false;
    let turns = 0;
    const writing = toCsv(records, createTabTurns(new AbortController().signal, createClock())).finally(() => {
      isDone = true;
    });
    for (; !isDone; turns += 1) await turn();
    expect(await writing).to.have.length(1_001);
    expect(turns).to.be.at.least(2_000 / 20 / 2);
  });

  it('are not written as CSV any more when the page was left', async () => {
    const leaving = new AbortController();
    let looks = 0;
    const records = Array.from({ length: 1_000 }, (_, at) => ({
      get at() {
        looks += 1;
        if (looks === 300) void turn().then(() => leaving.abort());
        return at;
      },
    }));
    const written = await toCsv(records, createTabTurns(leaving.signal, createClock())).catch(
      (error: Error) => error.name,
    );
    expect(written).to.equal('AbortError');
    expect(looks).to.be.below(1_000);
  });
});
