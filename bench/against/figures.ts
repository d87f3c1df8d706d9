// What is compared of two trees, what is aimed at, and the table of it.
import { describeAim } from '../aims.ts';
import { quantile } from '../quantile.ts';
import { toTable } from '../table.ts';

/** The figures of one tree in one round. */
export interface Figures {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly singleMedianMs: number;
  readonly memoryBytes: number;
  readonly mainThreadCpuUs: number;
  readonly cpuUs: number;
}

/** One round: both trees, one after the other. */
export interface Round {
  readonly here: Figures;
  readonly there: Figures;
}

/** The middle, the least and the greatest of the rounds. */
export interface MedianAndExtremes {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

interface Aim {
  readonly text: string;
  readonly isMet: (here: number, ratio: number) => boolean;
}

interface Row {
  readonly title: string;
  readonly name: keyof Figures;
  readonly digits: number;
  readonly aims: readonly Aim[];
}

/** The number of clients that the aims are for. */
const AIMED_CLIENTS = 64;

const toRows = (clients: number): readonly Row[] => {
  const aimed = (...aims: Aim[]): readonly Aim[] => (clients === AIMED_CLIENTS ? aims : []);
  return [
    {
      title: `events/s, ${clients} clients`,
      name: 'perSecond',
      digits: 0,
      aims: aimed(
        { text: '≥ 2.0 ×', isMet: (_, ratio) => ratio >= 2 },
        { text: '≥ 2,500', isMet: (here) => here >= 2_500 },
      ),
    },
    { title: `median latency, ${clients} clients, ms`, name: 'medianMs', digits: 1, aims: [] },
    {
      title: `99th percentile of the latency, ${clients} clients, ms`,
      name: 'p99Ms',
      digits: 1,
      aims: aimed({ text: '≤ 100', isMet: (here) => here <= 100 }),
    },
    {
      title: 'median latency, 1 client, ms',
      name: 'singleMedianMs',
      digits: 2,
      aims: [
        { text: '≤ 0.65 ×', isMet: (_, ratio) => ratio <= 0.65 },
        { text: '≤ 3', isMet: (here) => here <= 3 },
      ],
    },
    {
      title: 'memory per event written, kB',
      name: 'memoryBytes',
      digits: 1,
      aims: [{ text: '≤ 5', isMet: (here) => here <= 5 }],
    },
    { title: 'CPU time of the main thread per event, µs', name: 'mainThreadCpuUs', digits: 0, aims: [] },
    { title: 'CPU time of all threads per event, µs', name: 'cpuUs', digits: 0, aims: [] },
  ];
};

const toUnit = (figures: Figures, name: keyof Figures): number =>
  name === 'memoryBytes' ? figures[name] / 1_000 : figures[name];

/** The median of an even count is the mean of the two in the middle. `values`: not empty. */
export const toMedianAndExtremes = (values: readonly number[]): MedianAndExtremes => {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)]!, quantile(sorted, 0.5)];
  return { median: (low + high) / 2, least: sorted[0]!, most: sorted.at(-1)! };
};

const describeAims = (aims: readonly Aim[], here: number, ratio: number): string =>
  aims.map(({ text, isMet }) => describeAim(text, isMet(here, ratio))).join('; ');

const toCells = ({ title, name, digits, aims }: Row, rounds: readonly Round[]): string[] => {
  const here = toMedianAndExtremes(rounds.map((round) => toUnit(round.here, name)));
  const there = toMedianAndExtremes(rounds.map((round) => toUnit(round.there, name)));
  const ratio = toMedianAndExtremes(rounds.map((round) => round.here[name] / round.there[name]));
  return [
    title,
    there.median.toFixed(digits),
    here.median.toFixed(digits),
    `${ratio.median.toFixed(2)} (${ratio.least.toFixed(2)} to ${ratio.most.toFixed(2)})`,
    describeAims(aims, here.median, ratio.median),
  ];
};

/**
 * The table of some rounds: medians of both trees, the median of the rounds' ratios with the least and the greatest,
 * and whether the aims are met. `rounds`: not empty; `there`: name of the other tree.
 */
export const toComparison = (rounds: readonly Round[], clients: number, there: string): string =>
  toTable(
    ['', there, 'this tree', 'ratio (least to greatest)', 'aim'],
    toRows(clients).map((row) => toCells(row, rounds)),
  );
