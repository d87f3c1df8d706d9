// How memory and descriptors of a server grow under load, and how much they may.
import type { Sample } from './samples.ts';
import { fitSlope, type Point, type Slope } from './slope.ts';
import type { SoakChain } from './soakRun.ts';

export const MEBIBYTE = 2 ** 20;

/**
 * Seconds in which a run of the server fills what has a bound: young objects (192 MiB), caches and write buffers of
 * LevelDB (64 MiB and twice 32 MiB for the index), garbage before its first complete collection, compiled code.
 */
const WARM_UP_SECONDS = 120;

/** A slope is flat when its complete 95 % confidence interval lies below its bound. */
const DESCRIPTORS_BOUND = 1;
const MEMORY_BOUND_MEBIBYTES = 1;
/** Bytes for each event beyond the documented ones, which depend on the size of an event by about a quarter. */
const REST_BOUND_BYTES = 3_000;

/**
 * What the embedded chain keeps in memory (docs/operations.md): 37 KB for an event that is alone in its block, and
 * 12 KB for one that shares its block with many. So each event needs 12 KB, and each block 25 KB. The chain of a
 * network is not in the server's memory.
 */
const CHAIN_BYTES: Readonly<Record<SoakChain, { perEvent: number; perBlock: number }>> = {
  embedded: { perEvent: 12_000, perBlock: 25_000 },
  anvil: { perEvent: 0, perBlock: 0 },
};

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
}

type ToNumber = (sample: Sample) => number;

const toMinutes: ToNumber = ({ minutes }) => minutes;
const toEvents: ToNumber = ({ events }) => events;
const toBytes: ToNumber = ({ memory }) => memory;
const toMebibytes: ToNumber = ({ memory }) => memory / MEBIBYTE;
const toDescriptors: ToNumber = ({ descriptors }) => descriptors;

/** The part of the memory that the documented growth of the chain doesn't explain, in MiB. */
const toRest =
  (chain: SoakChain): ToNumber =>
  ({ memory, events, block }) => {
    const { perEvent, perBlock } = CHAIN_BYTES[chain];
    return (memory - perEvent * events - perBlock * block) / MEBIBYTE;
  };

/**
 * Between two complete collections memory rises as it would with a leak. There is about one for each 5,000 events, so
 * the memory of a run is judged only over ten times as many.
 */
const JUDGED_EVENTS_MIN = 50_000;

const SAMPLES_MIN = 10;
const RUNS_MIN = 3;

const isWarm = ({ ageSeconds }: Sample): boolean => ageSeconds >= WARM_UP_SECONDS;

// Over all runs, in the samples after the warm-up.
const countWarmEvents = (samples: readonly Sample[]): number =>
  [...Map.groupBy(samples.filter(isWarm), ({ run }) => run).values()].reduce(
    (sum, run) => sum + run.at(-1)!.events - run[0]!.events,
    0,
  );

// One slope for all runs, with an intercept for each.
const fitInRuns = (samples: readonly Sample[], toX: ToNumber, toY: ToNumber): Slope | undefined => {
  const points = samples.map((sample): Point => ({ run: sample.run, x: toX(sample), y: toY(sample) }));
  return points.length < SAMPLES_MIN ? undefined : fitSlope(points);
};

const toMean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

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
  const points = runs.map((run): Point => ({ run: 0, x: toMean(run.map(toX)), y: toMean(run.map(toY)) }));
  return points.length < RUNS_MIN ? undefined : fitSlope(points);
};

type Fit = (samples: readonly Sample[], toX: ToNumber, toY: ToNumber) => Slope | undefined;

interface Rows {
  readonly samples: readonly Sample[];
  readonly chain: SoakChain;
  readonly where: string;
  readonly fitSamples: Fit;
  /** Whether memory and descriptors have a bound; without, they are only shown. */
  readonly isBounded: boolean;
  readonly hasEnoughEvents?: boolean;
  readonly minutesMin: number;
}

const toRows = (rows: Rows): BoundedSlope[] => {
  const { samples, chain, where, fitSamples, isBounded, hasEnoughEvents = true, minutesMin } = rows;
  const row = (
    what: string,
    unit: string,
    [toX, toY]: readonly [ToNumber, ToNumber],
    { bound, isLongEnough = true }: { bound?: number | undefined; isLongEnough?: boolean } = {},
  ): BoundedSlope => ({
    title: `${what} ${where}`,
    unit,
    fit: fitSamples(samples, toX, toY),
    bound: isBounded ? bound : undefined,
    isLongEnough,
    minutesMin,
  });
  const isEmbedded = chain === 'embedded';
  const rest = isEmbedded ? 'memory without the chain' : 'memory';
  const bytesOfRest: ToNumber = (sample) => toRest(chain)(sample) * MEBIBYTE;
  const toMemoryLimits = (bound: number | undefined) => ({ bound, isLongEnough: hasEnoughEvents });
  const perMinute = toMemoryLimits(isEmbedded ? undefined : MEMORY_BOUND_MEBIBYTES);
  const perEvent = toMemoryLimits(isEmbedded ? REST_BOUND_BYTES : undefined);
  return [
    ...(isEmbedded
      ? [row('memory', 'MiB/minute', [toMinutes, toMebibytes]), row('memory', 'bytes/event', [toEvents, toBytes])]
      : []),
    row(rest, 'MiB/minute', [toMinutes, toRest(chain)], perMinute),
    row(rest, 'bytes/event', [toEvents, bytesOfRest], perEvent),
    row('descriptors', '1/minute', [toMinutes, toDescriptors], { bound: DESCRIPTORS_BOUND }),
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
 * The slopes of a soak test whose server was killed at the age of `killEverySeconds`: in each run with its warm-up,
 * which has no bound; in each run after it, which shows what a process loses; and from run to run at the same age,
 * which shows what the data directory costs.
 */
export const toSlopes = (samples: readonly Sample[], chain: SoakChain, killEverySeconds: number): BoundedSlope[] => [
  ...toRows({
    samples,
    chain,
    where: 'with the warm-up',
    fitSamples: fitInRuns,
    isBounded: false,
    minutesMin: 0,
  }),
  ...toRows({
    samples,
    chain,
    where: 'in a run',
    fitSamples: (given, toX, toY) => fitInRuns(given.filter(isWarm), toX, toY),
    isBounded: true,
    hasEnoughEvents: countWarmEvents(samples) >= JUDGED_EVENTS_MIN,
    minutesMin: toMinutesOfLongRun(samples),
  }),
  ...toRows({
    samples,
    chain,
    where: 'from run to run',
    fitSamples: (given, toX, toY) => fitBetweenRuns(given, killEverySeconds, toX, toY),
    isBounded: true,
    minutesMin: (HALVES * RUNS_MIN * killEverySeconds) / 60,
  }),
];
