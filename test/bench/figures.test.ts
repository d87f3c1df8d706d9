import { expect } from 'chai';
import { type Figures, toComparison, toMedianAndExtremes } from '../../bench/against/figures.ts';

const BASE: Figures = {
  perSecond: 1_000,
  medianMs: 40,
  p99Ms: 150,
  singleMedianMs: 4,
  memoryBytes: 12_000,
  mainThreadCpuUs: 600,
  cpuUs: 900,
};

const rowOf = (table: string, title: string): string[] =>
  table
    .split('\n')
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
    .find(([first]) => first === title)!;

describe('the comparison of two trees', () => {
  it('takes the median of odd and even counts, and the extremes', () => {
    expect(toMedianAndExtremes([7])).to.deep.equal({ median: 7, least: 7, most: 7 });
    expect(toMedianAndExtremes([30, 10, 20])).to.deep.equal({ median: 20, least: 10, most: 30 });
    expect(toMedianAndExtremes([4, 1, 2, 3])).to.deep.equal({ median: 2.5, least: 1, most: 4 });
  });

  it('shows medians of both trees and the spread of the ratios of each round', () => {
    const rounds = [
      { there: BASE, here: { ...BASE, perSecond: 2_500 } },
      { there: { ...BASE, perSecond: 800 }, here: { ...BASE, perSecond: 1_600 } },
      { there: { ...BASE, perSecond: 1_200 }, here: { ...BASE, perSecond: 3_600 } },
    ];
    const row = rowOf(toComparison(rounds, 64, 'abc1234'), 'events/s, 64 clients');
    // The median of the ratios 2.5, 2 and 3, not the ratio of the medians.
    expect(row.slice(1)).to.deep.equal(['1000', '2500', '2.50 (2.00 to 3.00)', '≥ 2.0 ×: met; ≥ 2,500: met']);
  });

  it('states which aims are missed', () => {
    const here = { ...BASE, perSecond: 1_999, p99Ms: 100, singleMedianMs: 2.6, memoryBytes: 5_001 };
    const table = toComparison([{ there: BASE, here }], 64, 'abc1234');
    expect(rowOf(table, 'events/s, 64 clients').at(-1)).to.equal('≥ 2.0 ×: **missed**; ≥ 2,500: **missed**');
    expect(rowOf(table, '99th percentile of the latency, 64 clients, ms').at(-1)).to.equal('≤ 100: met');
    expect(rowOf(table, 'median latency, 1 client, ms').at(-1)).to.equal('≤ 0.65 ×: met; ≤ 3: met');
    expect(rowOf(table, 'memory per event written, kB').at(-1)).to.equal('≤ 5: **missed**');
  });

  it('has no aims for another number of clients', () => {
    const table = toComparison([{ there: BASE, here: BASE }], 16, 'abc1234');
    expect(rowOf(table, 'events/s, 16 clients').at(-1)).to.equal('');
  });
});
