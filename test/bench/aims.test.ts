import { expect } from 'chai';
import { toBulkTable } from '../../bench/bulkTable.ts';
import { toGrowthTable } from '../../bench/growth/growthTable.ts';
import type { SizeFigures } from '../../bench/growth/measureSize.ts';
import { type Start, toStartTable } from '../../bench/start/startTable.ts';

const lastCells = (table: string): string[] =>
  table
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').at(-2)!.trim());

const toMilestone = (elapsedMs: number) => ({ elapsedMs, cpuMs: 1, mainThreadCpuMs: 1 });

const toStart = (readMs: number, writeMs: number): Start => ({
  title: 'after a stop',
  figures: {
    read: toMilestone(readMs),
    write: { ...toMilestone(writeMs), status: 'PENDING' },
    confirmed: toMilestone(26_000),
  },
});

const toSize = (events: number, startSeconds: number): SizeFigures => ({
  events,
  startSeconds,
  writeCpuUs: 300,
  writeMemoryBytes: 6_000,
  journalBytes: 290,
  indexBytes: 600,
  startedMemoryBytes: 425_000_000,
  rebuildCpuUs: 90,
  pageMs: 2,
  countMs: 1,
});

describe('aims in the tables of benchmarks', () => {
  it('are met and missed for requests of many lines and for exports', () => {
    const bulk = { title: 'lines', kind: 'bulk', seconds: 2, mainMs: 1 } as const;
    const all = { title: 'export', kind: 'export', seconds: 1, mainMs: 1 } as const;
    const rows = [
      { ...bulk, events: 10_000 },
      { ...bulk, events: 9_998 },
      { ...all, events: 20_000 },
      { ...all, events: 19_999 },
    ];
    expect(lastCells(toBulkTable(rows))).to.deep.equal([
      '≥ 5,000: met',
      '≥ 5,000: **missed**',
      '≥ 20,000: met',
      '≥ 20,000: **missed**',
    ]);
  });

  it('are met by a start only if all starts meet them', () => {
    const inTime = toStart(3_000, 14_000);
    expect(lastCells(toStartTable(100_000, [inTime]))).to.deep.equal(['≤ 3 s: met', 'accepted at once: met', '']);
    expect(lastCells(toStartTable(100_000, [inTime, toStart(3_001, 14_002)]))).to.deep.equal([
      '≤ 3 s: **missed**',
      'accepted at once: **missed**',
      '',
    ]);
  });

  it('are those of 100,000 events', () => {
    expect(lastCells(toStartTable(10_000, [toStart(9_000, 9_100)]))).to.deep.equal(['', '', '']);
    const sizes = [toSize(10_000, 9), toSize(100_000, 3), toSize(1_000_000, 9)];
    expect(lastCells(toGrowthTable(sizes)).filter(Boolean)).to.deep.equal(['≤ 3 at 100,000 events: met']);
    expect(lastCells(toGrowthTable([toSize(100_000, 3.01)])).filter(Boolean)).to.deep.equal([
      '≤ 3 at 100,000 events: **missed**',
    ]);
    expect(lastCells(toGrowthTable([toSize(10_000, 9)])).filter(Boolean)).to.deep.equal([]);
  });
});
