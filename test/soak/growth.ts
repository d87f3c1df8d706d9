// How memory and descriptors of a server grow under load, and how much they may.
import { fitFreed } from './freed.ts';
import type { IdleSamples, Sample } from './samples.ts';
import { fitSlope, type Point, type Slope, toMean } from './slope.ts';
import type { SoakChain } from './soakRun.ts';

export const MEBIBYTE = 2 ** 20;

/**
 * Seconds in which a run of the server fills what has a bound: young objects (192 MiB), caches and write buffers of
 * LevelDB (64 MiB and twice 32 MiB for the index), garbage before its first complete collection, compiled code.
 */
const WARM_UP_SECONDS = 120;

/** A slope is flat when its complete 95 % interval lies below its bound. */
const DESCRIPTORS_BOUND = 1;
/** Of a server on a network, whose chain is not in its memory. */
const MEBIBYTES_PER_MINUTE_BOUND = 1;
/**
 * Of a server with the embedded chain, beyond what a new process needs for the same chain: the warm-up of a process,
 * which the new one doesn't have, and what allocators can't give back.
 */
const BYTES_PER_EVENT_BOUND = 3_000;

/** A slope, and the bound below which it is flat. */
export interface BoundedSlope {
  readonly title: string;
  readonly unit: string;
  /** Undefined: there are too few samples. */
  readonly fit: Slope | undefined;
  /** Undefined: the slope is only shown. */
  readonly bound: number | undefined;
  /** Whether the soak test was long enough to decide about the slope. */
  readonly isLongEnough: boolean;
  /** Minutes that a soak test takes at least until it is long enough. */
  readonly minutesMin: number;
  /** The interval narrows with this power of the duration. */
  readonly narrowing: number;
}

// Samples increase with the duration, and so does their spread.
const NARROWING_OF_FIT = 3 / 2;
// What a restart frees is divided by the duration.
const NARROWING_OF_DIFFERENCE = 1;

type ToNumber = (sample: Sample) => number;

const toMinutes: ToNumber = ({ minutes }) => minutes;
const toEvents: ToNumber = ({ events }) => events;
const toBytes: ToNumber = ({ memory }) => memory;
const toMebibytes: ToNumber = ({ memory }) => memory / MEBIBYTE;
const toDescriptors: ToNumber = ({ descriptors }) => descriptors;

/**
 * Between two complete collections memory rises as it would with a leak. There is about one for each 5,000 events, so
 * the memory of a run is judged only over ten times as many.
 */
const JUDGED_EVENTS_MIN = 50_000;

const isWarm = ({ ageSeconds }: Sample): boolean => ageSeconds >= WARM_UP_SECONDS;

const countEvents = (run: readonly Sample[]): number => (run.at(-1)?.events ?? 0) - (run[0]?.events ?? 0);

// Over all runs, in the samples after the warm-up.
const countWarmEvents = (samples: readonly Sample[]): number =>
  [...Map.groupBy(samples.filter(isWarm), ({ run }) => run).values()].reduce((sum, run) => sum + countEvents(run), 0);

// One slope for all runs, with an intercept for each.
const fitInRuns = (samples: readonly Sample[], toX: ToNumber, toY: ToNumber): Slope | undefined =>
  fitSlope(samples.map((sample): Point => ({ run: sample.run, x: toX(sample), y: toY(sample) })));

// Runs at the same age: one point for each, so that its samples, which are alike, don't count as many.
const fitBetweenRuns = (
  samples: readonly Sample[],
  killEverySeconds: number,
  toX: ToNumber,
  toY: ToNumber,
): Slope | undefined => {
  const sameAge = samples.filter(
    ({ ageSeconds }) => ageSeconds >= killEverySeconds / 2 && ageSeconds <= killEverySeconds,
  );
  const runs = [...Map.groupBy(sameAge, ({ run }) => run).values()];
  return fitSlope(runs.map((run): Point => ({ run: 0, x: toMean(run.map(toX)), y: toMean(run.map(toY)) })));
};

// What the last run gained, which new processes don't have.
const fitFreedByRestart = (
  { ended, restarted }: IdleSamples,
  lastRun: readonly Sample[],
  toX: ToNumber,
  toY: ToNumber,
): Slope | undefined => {
  const [first, last] = [lastRun[0], lastRun.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const processes = restarted.map((samples) => samples.map(toY));
  return fitFreed(ended.map(toY), processes, toX(last) - toX(first));
};

interface Bounds {
  readonly perMinute?: number | undefined;
  readonly perEvent?: number | undefined;
  readonly descriptors?: number;
}

interface Rows {
  readonly where: string;
  readonly fitSamples: (toX: ToNumber, toY: ToNumber) => Slope | undefined;
  /** A slope without a bound is only shown. */
  readonly bounds: Bounds;
  readonly hasEnoughEvents: boolean;
  readonly minutesMin: number;
  readonly narrowing: number;
}

const toRows = ({ where, fitSamples, bounds, hasEnoughEvents, minutesMin, narrowing }: Rows): BoundedSlope[] => {
  const row = (
    what: string,
    unit: string,
    [toX, toY]: readonly [ToNumber, ToNumber],
    bound: number | undefined,
  ): BoundedSlope => ({
    title: `${what} ${where}`,
    unit,
    fit: fitSamples(toX, toY),
    bound,
    isLongEnough: what !== 'memory' || hasEnoughEvents,
    minutesMin,
    narrowing,
  });
  return [
    row('memory', 'MiB/minute', [toMinutes, toMebibytes], bounds.perMinute),
    row('memory', 'bytes/event', [toEvents, toBytes], bounds.perEvent),
    row('descriptors', '1/minute', [toMinutes, toDescriptors], bounds.descriptors),
  ];
};

// Kills fill the first half of a soak test, and one run the second.
const HALVES = 2;

// At the rate of the samples, in the half that is one run.
const toMinutesOfLongRun = (samples: readonly Sample[]): number => {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.events === first.events) return Number.POSITIVE_INFINITY;
  const minutesPerEvent = (last.minutes - first.minutes) / (last.events - first.events);
  return HALVES * (WARM_UP_SECONDS / 60 + JUDGED_EVENTS_MIN * minutesPerEvent);
};

/**
 * The slopes of a soak test whose server was killed at the age of `killEverySeconds`: in each run with its warm-up; in
 * each run after it; from run to run at the same age, which shows what the data directory costs; and what a restart
 * frees after the last run, which shows what that process lost. The embedded chain is in the server's memory, so there
 * only the last can be bounded.
 */
export const toSlopes = (
  samples: readonly Sample[],
  idle: IdleSamples,
  chain: SoakChain,
  killEverySeconds: number,
): BoundedSlope[] => {
  const isEmbedded = chain === 'embedded';
  const lastRun = samples.filter(({ run }) => run === samples.at(-1)?.run);
  const shown = { bounds: {}, hasEnoughEvents: true, minutesMin: 0, narrowing: NARROWING_OF_FIT };
  const minutesMin = toMinutesOfLongRun(samples);
  return [
    ...toRows({ ...shown, where: 'with the warm-up', fitSamples: (toX, toY) => fitInRuns(samples, toX, toY) }),
    ...toRows({
      where: 'in a run',
      fitSamples: (toX, toY) => fitInRuns(samples.filter(isWarm), toX, toY),
      bounds: { perMinute: isEmbedded ? undefined : MEBIBYTES_PER_MINUTE_BOUND },
      hasEnoughEvents: countWarmEvents(samples) >= JUDGED_EVENTS_MIN,
      minutesMin,
      narrowing: NARROWING_OF_FIT,
    }),
    ...toRows({
      ...shown,
      where: 'from run to run',
      fitSamples: (toX, toY) => fitBetweenRuns(samples, killEverySeconds, toX, toY),
    }),
    ...toRows({
      where: 'that a restart frees',
      fitSamples: (toX, toY) => fitFreedByRestart(idle, lastRun, toX, toY),
      bounds: { perEvent: isEmbedded ? BYTES_PER_EVENT_BOUND : undefined, descriptors: DESCRIPTORS_BOUND },
      hasEnoughEvents: countEvents(lastRun) >= JUDGED_EVENTS_MIN,
      minutesMin,
      narrowing: NARROWING_OF_DIFFERENCE,
    }),
  ];
};
