import { expect } from 'chai';
import { drawPlot, type Panel, toTickStep } from '../../bench/growth/plot.ts';

const PANELS: readonly Panel[] = [
  {
    title: 'A & <B>',
    unit: 'µs',
    series: [
      { name: 'one', values: [10, 20, 40] },
      { name: 'two', values: [0, 0, 5] },
    ],
  },
  { title: 'Start', unit: 's', series: [{ name: 'start', values: [0, 0, 0] }] },
];

const SIZES = [1_000, 10_000, 100_000];

const matchesOf = (svg: string, pattern: RegExp): string[] => [...svg.matchAll(pattern)].map(([, found]) => found!);

describe('the plot', () => {
  const svg = drawPlot('Plot', SIZES, PANELS);

  it('has round steps that reach the greatest value', () => {
    expect([4, 4.1, 8, 36, 40, 41, 0.9].map(toTickStep)).to.deep.equal([1, 2, 2, 10, 10, 20, 0.5]);
  });

  it('places sizes at equal distances when their quotients are equal, and values from the axis upwards', () => {
    const [first] = matchesOf(svg, /<path class="line s0" d="M([^"]+)"/g);
    const points = first!.split('L').map((point) => point.split(' ').map(Number));
    expect(points[1]![0]! - points[0]![0]!).to.be.closeTo(points[2]![0]! - points[1]![0]!, 0.2);
    const [, second] = points.map(([, y]) => y!);
    // 20 is half of 40, the last tick, and 0 is at the bottom of the panel.
    expect(points[2]![1]).to.equal(46);
    expect(second).to.equal((46 + 186) / 2);
    expect(matchesOf(svg, /<circle class="d1" cx="[\d.]+" cy="([\d.]+)" r="3.5"/g)[0]).to.equal('186.0');
  });

  it('labels the axes, with units, and names lines where there are several', () => {
    expect(matchesOf(svg, /font-weight="600">([^<]*)</g)).to.deep.equal(['A &amp; &lt;B&gt;, µs', 'Start, s']);
    expect(svg.match(/>events in the ledger</g)).to.have.length(2);
    expect(svg.match(/>100,000</g)).to.have.length(2);
    expect(svg).to.include('>one<').and.include('>two<').and.not.include('>start<');
  });

  it('has other colours in dark mode', () => {
    expect(svg).to.include('prefers-color-scheme: dark');
  });

  it('draws values that are all zero, and a single size', () => {
    for (const text of [
      svg,
      drawPlot('One', [1_000], [{ title: 'T', unit: 's', series: [{ name: 't', values: [3] }] }]),
    ])
      expect(text).to.not.match(/NaN|Infinity|undefined/);
  });
});
