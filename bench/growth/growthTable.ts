// The table of bench:growth.
import { describeAim } from '../aims.ts';
import { AIM_READ_MS, AIMED_EVENTS } from '../start/startTable.ts';
import { toTable } from '../table.ts';
import type { SizeFigures } from './measureSize.ts';

interface Row {
  readonly title: string;
  readonly toCell: (figures: SizeFigures) => string;
  readonly toAim?: (sizes: readonly SizeFigures[]) => string;
}

const toThousands = (value: number): string => (value / 1_000).toFixed(1);

const toCount = (count: number): string => count.toLocaleString('en-US');

const toStartAim = (sizes: readonly SizeFigures[]): string => {
  const aimed = sizes.find(({ events }) => events === AIMED_EVENTS);
  if (aimed === undefined) return '';
  const seconds = AIM_READ_MS / 1_000;
  return describeAim(`≤ ${seconds} at ${toCount(AIMED_EVENTS)} events`, aimed.startSeconds <= seconds);
};

const ROWS: readonly Row[] = [
  { title: 'write: CPU time of the main thread per event, µs', toCell: (size) => size.writeCpuUs.toFixed(0) },
  { title: 'write: growth of the memory per event, kB', toCell: (size) => toThousands(size.writeMemoryBytes) },
  { title: 'journal per event, bytes', toCell: (size) => size.journalBytes.toFixed(0) },
  { title: 'index per event, bytes', toCell: (size) => size.indexBytes.toFixed(0) },
  { title: 'start to the first read, s', toCell: (size) => size.startSeconds.toFixed(2), toAim: toStartAim },
  {
    title: 'memory at the first read, which does not wait for the replay, MB',
    toCell: (size) => (size.startedMemoryBytes / 1e6).toFixed(0),
  },
  { title: 'rebuild: CPU time of the main thread per event, µs', toCell: (size) => size.rebuildCpuUs.toFixed(0) },
  { title: 'first page of all events, ms', toCell: (size) => size.pageMs.toFixed(2) },
  { title: 'count of events, 1 filter that 29 % meet, ms', toCell: (size) => size.countMs.toFixed(2) },
];

/** The figures of all sizes side by side, with the aim of the start. */
export const toGrowthTable = (sizes: readonly SizeFigures[]): string =>
  toTable(
    ['', ...sizes.map(({ events }) => `${toCount(events)} events`), 'aim'],
    ROWS.map(({ title, toCell, toAim }) => [title, ...sizes.map(toCell), toAim?.(sizes) ?? '']),
  );
