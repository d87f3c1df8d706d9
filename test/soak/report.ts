// The figures of a soak test, and the verdict.
import { toTable } from '../../bench/table.ts';
import type { BoundedSlope } from './growth.ts';
import { MEBIBYTE } from './growth.ts';
import type { Sample } from './samples.ts';
import { toMean } from './slope.ts';
import type { SoakResult } from './soakRun.ts';
import { toMinutesNeeded, toVerdict } from './verdict.ts';

const toInterval = ({ fit }: BoundedSlope): string =>
  fit === undefined ? 'too few samples' : `${fit.lower.toFixed(2)} to ${fit.upper.toFixed(2)}`;

const toBound = ({ bound }: BoundedSlope): string | number => bound ?? 'none';

// Unknown where no event was answered.
const toNeed = (row: BoundedSlope, minutes: number): string => {
  const needed = toMinutesNeeded(row, minutes);
  return Number.isFinite(needed) ? `about ${needed} minutes` : 'an unknown number of minutes';
};

const toVerdictCell = (row: BoundedSlope, minutes: number): string => {
  const verdict = toVerdict(row);
  if (verdict !== 'not decided') return verdict ?? 'none';
  return `**not decided**, needs ${toNeed(row, minutes)}`;
};

const toSlopeTable = (slopes: readonly BoundedSlope[], minutes: number): string =>
  toTable(
    ['slope', 'unit', 'estimate', '95 % interval', 'bound', 'samples', 'verdict'],
    slopes.map((row) => [
      row.title,
      row.unit,
      row.fit?.slope.toFixed(2) ?? '',
      toInterval(row),
      toBound(row),
      row.fit?.points ?? 0,
      toVerdictCell(row, minutes),
    ]),
  );

const toMebibytes = (bytes: number): string => (bytes / MEBIBYTE).toFixed(0);

const toSeconds = (ms: number): string => (ms / 1_000).toFixed(1);

const toMaximum = <T>(samples: readonly T[], toY: (sample: T) => number): number =>
  samples.reduce((most, sample) => Math.max(most, toY(sample)), 0);

const toMeanMemory = (samples: readonly Sample[]): string => toMebibytes(toMean(samples.map(({ memory }) => memory)));

const toFigureTable = (result: SoakResult): string => {
  const { counts, samples, collected, restartsMs, measuredRate } = result;
  return toTable(
    ['figure', 'value'],
    [
      ['events/s that all clients together reach, measured first', measuredRate?.toFixed(0) ?? 'not measured'],
      ['events/s that the clients send', result.rate.toFixed(0)],
      ['events/s answered, restarts included', result.reachedRate.toFixed(0)],
      ['events on the ledger', result.events],
      ['events answered', counts.answered],
      ['of these `PENDING`', counts.pending],
      ['answers to a repeated key', counts.repeated],
      ['requests whose client disconnected', counts.vanished],
      ['requests that a kill interrupted', counts.interrupted],
      ['connections that ended otherwise', counts.lost],
      ['refusals (429, 503)', counts.refused],
      ['SIGKILLs under load', restartsMs.length],
      ['longest restart, s', toSeconds(Math.max(0, ...restartsMs))],
      ['largest memory, MiB', toMebibytes(toMaximum(samples, ({ memory }) => memory))],
      ['memory without load at the end, MiB', toMeanMemory(result.idle.ended)],
      ['memory of new processes, MiB', result.idle.restarted.map(toMeanMemory).join(', ')],
      ['largest number of descriptors', toMaximum(samples, ({ descriptors }) => descriptors)],
      ['largest number of records in the outbox', toMaximum(samples, ({ pending }) => pending)],
      ['samples', samples.length],
      ['garbage collections under load', collected.length],
      ['longest of them, ms', toMaximum(collected, ({ collectionMs }) => collectionMs).toFixed(0)],
      [
        'mean of them, ms',
        collected.length === 0 ? 'none' : toMean(collected.map(({ collectionMs }) => collectionMs)).toFixed(0),
      ],
      ['differences between requests, answers, chain and index', result.differences.length],
    ],
  );
};

const DIFFERENCES_SHOWN = 20;

/** The tables of a soak test of `minutes`, in Markdown, with the first differences. */
export const toReport = (result: SoakResult, slopes: readonly BoundedSlope[], minutes: number): string =>
  [
    toFigureTable(result),
    toSlopeTable(slopes, minutes),
    ...result.differences.slice(0, DIFFERENCES_SHOWN).map((difference) => `- ${difference}`),
  ].join('\n\n');

/** What a soak test decides: it passed if both lists are empty. */
export interface Decision {
  /** Why it failed. */
  readonly failures: readonly string[];
  /** What it could not decide, with the minutes that it needs. */
  readonly undecided: readonly string[];
}

const NO_KILL =
  'whether records survive a SIGKILL: none happened, because the first part of the time ended before the server was as old as --kill-every';

/** Decides about a soak test of `minutes` by its differences, its kills and its slopes. */
export const decide = (
  { differences, restartsMs }: Pick<SoakResult, 'differences' | 'restartsMs'>,
  slopes: readonly BoundedSlope[],
  minutes: number,
): Decision => ({
  failures: [
    ...(differences.length === 0
      ? []
      : [`${differences.length} differences between requests, answers, chain and index`]),
    ...slopes
      .filter((row) => toVerdict(row) === 'not flat')
      .map(({ title, unit, bound }) => `the slope of ${title} lies above ${bound} ${unit}`),
  ],
  undecided: [
    ...(restartsMs.length === 0 ? [NO_KILL] : []),
    ...slopes
      .filter((row) => toVerdict(row) === 'not decided')
      .map((row) => `the slope of ${row.title}, which needs ${toNeed(row, minutes)}`),
  ],
});

const EXIT_CODES = { passed: 0, failed: 1, undecided: 2 } as const;

/** The exit code of a soak test: 1 if it failed, 2 if it did not fail but left something undecided, else 0. */
export const toExitCode = ({ failures, undecided }: Decision): number => {
  if (failures.length > 0) return EXIT_CODES.failed;
  return undecided.length > 0 ? EXIT_CODES.undecided : EXIT_CODES.passed;
};
