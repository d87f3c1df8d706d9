// The table of a run on a network.
import { quantile } from '../quantile.ts';
import { toTable } from '../table.ts';
import type { BareResult } from './bareLoop.ts';
import type { ChainUse } from './chainUse.ts';

/** What one load measured. */
export interface LoadFigures {
  /** Such as `64 clients`. */
  readonly title: string;
  /** Of the events that were answered with CONFIRMED, in milliseconds. */
  readonly latenciesMs: readonly number[];
  readonly elapsedMs: number;
  /** CPU time of the server's main thread. */
  readonly mainThreadMs: number;
  /** Answers with PENDING. */
  readonly pending: number;
  /** Events that the server refused because it was full. */
  readonly refused: number;
  /** Events whose records the chain refused. */
  readonly failed: number;
  readonly use: ChainUse;
}

/** Events with CONFIRMED in a second. */
export const toEventsPerSecond = ({ latenciesMs, elapsedMs }: Pick<LoadFigures, 'latenciesMs' | 'elapsedMs'>): number =>
  (latenciesMs.length * 1000) / elapsedMs;

// What was not confirmed took longer than everything that was.
const toSorted = ({ latenciesMs, pending, refused }: LoadFigures): number[] => [
  ...latenciesMs.toSorted((a, b) => a - b),
  ...Array.from({ length: pending + refused }, () => Number.POSITIVE_INFINITY),
];

const toSeconds = (ms: number): string => (Number.isFinite(ms) ? (ms / 1000).toFixed(2) : 'not confirmed');

const toMean = (values: readonly number[]): string =>
  values.length === 0 ? '' : toSeconds(values.reduce((sum, value) => sum + value, 0) / values.length);

const toUse = ({ records, transactions, blocks }: ChainUse): string[] =>
  transactions === 0 ? ['', ''] : [(records / transactions).toFixed(0), (transactions / blocks).toFixed(1)];

const toRow = (figures: LoadFigures, bare: BareResult | undefined): (string | number)[] => {
  const sorted = toSorted(figures);
  const rate = toEventsPerSecond(figures);
  return [
    figures.title,
    rate.toFixed(0),
    bare === undefined ? '' : `${((100 * rate) / bare.recordsPerSecond).toFixed(0)} %`,
    toMean(figures.latenciesMs),
    ...[0.5, 0.99].map((fraction) => (sorted.length === 0 ? '' : toSeconds(quantile(sorted, fraction)))),
    figures.latenciesMs.length === 0 ? '' : ((1000 * figures.mainThreadMs) / figures.latenciesMs.length).toFixed(0),
    ...toUse(figures.use),
    figures.pending,
    figures.refused,
    figures.failed,
  ];
};

const HEADER = [
  'load',
  'events/s',
  'of the bare loop',
  'mean, s',
  'p50, s',
  'p99, s',
  'main thread, µs an event',
  'records a transaction',
  'transactions a block',
  'PENDING',
  'refused',
  'FAILED',
];

const toBareRow = ({ recordsPerSecond, use }: BareResult): (string | number)[] => [
  'bare loop',
  recordsPerSecond.toFixed(0),
  '100 %',
  '',
  '',
  '',
  '',
  ...toUse(use),
  '',
  '',
  '',
];

/** The table of all loads of a run, and of its bare loop. */
export const toNetworkTable = (rows: readonly LoadFigures[], bare: BareResult | undefined): string =>
  toTable(HEADER, [...rows.map((row) => toRow(row, bare)), ...(bare === undefined ? [] : [toBareRow(bare)])]);
