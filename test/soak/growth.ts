// How memory and descriptors of a server grow under load, and how much they may.
import { toMinutesForLongRun } from './division.ts';
import { fitFreed } from './freed.ts';
import type { CollectedSample, IdleSamples, Sample } from './samples.ts';
import { fitSlope, type Point, type Slope, toMean } from './slope.ts';
import type { SoakChain, SoakResult } from './soakRun.ts';

export const MEBIBYTE = 2 ** 20;

/**
 * A run is warm at this age, with compiled code and filled caches, and after so many events: at 6.3 KB of index each,
 * they fill LevelDB's write buffer of 32 MiB twice, so the allocator has the memory of both buffers.
 */
const WARM_UP_SECONDS = 120;
const WARM_UP_EVENTS = 12_000;

/** LevelDB's write buffer is filled twice more, so its rise and fall is no slope. */
const JUDGED_EVENTS_MIN = 12_000;
/** What a process needs for its warm-up counts as lost when it is replaced, so it is divided by so many events. */
const FREED_EVENTS_MIN = 50_000;

// By quantity and unit. A slope is flat when its complete 95 % interval lies below its bound.
type Bounds = Readonly<Partial<Record<string, number>>>;

// The embedded chain is in the server's memory, and that of a network is not. LevelDB maps its files into memory, so
// resident memory grows with the index.
const BOUNDS_AFTER_COLLECTIONS: Readonly<Record<SoakChain, Bounds>> = {
  anvil: { 'anonymous memory, MiB/minute': 1, 'heap, MiB/minute': 1 },
  embedded: {},
};
/**
 * With the embedded chain, beyond what a new process needs for the same chain: the warm-up of a process, which the new
 * one doesn't have (8 MiB of the heap), and of memory what allocators can't give back. 200 bytes are less than a
 * record.
 */
const BOUNDS_OF_FREED: Readonly<Record<SoakChain, Bounds>> = {
  anvil: { 'descriptors, 1/minute': 1 },
  embedded: { 'memory, bytes/event': 3_000, 'heap, bytes/event': 200, 'descriptors, 1/minute': 1 },
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
  /** The interval narrows with this power of the duration. */
  readonly narrowing: number;
}

// Samples increase with the duration, and so does their spread.
const NARROWING_OF_FIT = 3 / 2;
// What a restart frees is divided by the duration.
const NARROWING_OF_DIFFERENCE = 1;

type ToNumber<T = Sample> = (sample: T) => number;

const toMinutes: ToNumber = ({ minutes }) => minutes;
const toEvents: ToNumber = ({ events }) => events;
const toBytes: ToNumber = ({ memory }) => memory;
const toHeapBytes: ToNumber<CollectedSample> = ({ heapUsed, external }) => heapUsed + external;

// What is fitted, as y over x.
interface Quantity<T> {
  readonly what: 'memory' | 'anonymous memory' | 'heap' | 'descriptors';
  readonly unit: string;
  readonly toX: ToNumber;
  readonly toY: ToNumber<T>;
}

const QUANTITIES: readonly Quantity<Sample>[] = [
  { what: 'memory', unit: 'MiB/minute', toX: toMinutes, toY: (sample) => toBytes(sample) / MEBIBYTE },
  { what: 'memory', unit: 'bytes/event', toX: toEvents, toY: toBytes },
  { what: 'descriptors', unit: '1/minute', toX: toMinutes, toY: ({ descriptors }) => descriptors },
];

const COLLECTED_QUANTITIES: readonly Quantity<CollectedSample>[] = [
  ...QUANTITIES,
  { what: 'anonymous memory', unit: 'MiB/minute', toX: toMinutes, toY: ({ anonymous }) => anonymous / MEBIBYTE },
  { what: 'heap', unit: 'MiB/minute', toX: toMinutes, toY: (sample) => toHeapBytes(sample) / MEBIBYTE },
  { what: 'heap', unit: 'bytes/event', toX: toEvents, toY: toHeapBytes },
];

interface Rows<T> {
  readonly where: string;
  readonly quantities: readonly Quantity<T>[];
  readonly fitSamples: (toX: ToNumber, toY: ToNumber<T>) => Slope | undefined;
  /** A slope without a bound is only shown. */
  readonly bounds: Bounds;
  readonly events: number;
  /** Memory and the heap are judged only over so many events. */
  readonly eventsMin: number;
  readonly minutesMin: number;
  readonly narrowing: number;
}

const toRows = <T>({ where, quantities, fitSamples, bounds, events, eventsMin, ...rest }: Rows<T>): BoundedSlope[] =>
  quantities.map(({ what, unit, toX, toY }) => ({
    title: `${what} ${where}`,
    unit,
    fit: fitSamples(toX, toY),
    bound: bounds[`${what}, ${unit}`],
    isLongEnough: what === 'descriptors' || events >= eventsMin,
    minutesMin: rest.minutesMin,
    narrowing: rest.narrowing,
  }));

const ONLY_SHOWN = { bounds: {}, events: 0, eventsMin: 0, minutesMin: 0, narrowing: NARROWING_OF_FIT };

const countEvents = (run: readonly Sample[]): number => (run.at(-1)?.events ?? 0) - (run[0]?.events ?? 0);

/** The samples of one run after its warm-up. `run` are all samples of that run, from its beginning. */
const selectWarm = (collected: readonly CollectedSample[], run: readonly Sample[]): CollectedSample[] => {
  const eventsMin = (run[0]?.events ?? 0) + WARM_UP_EVENTS;
  return collected.filter(({ ageSeconds, events }) => ageSeconds >= WARM_UP_SECONDS && events >= eventsMin);
};

// One slope for all runs, with an intercept for each.
const fitInRuns = <T extends Sample>(samples: readonly T[], toX: ToNumber, toY: ToNumber<T>): Slope | undefined =>
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
  toY: ToNumber<CollectedSample>,
): Slope | undefined => {
  const [first, last] = [lastRun[0], lastRun.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const processes = restarted.map((samples) => samples.map(toY));
  return fitFreed(ended.map(toY), processes, toX(last) - toX(first));
};

// At the rate of the samples.
const toMinutesOfEvents = (samples: readonly Sample[], events: number): number => {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.events === first.events) return Number.POSITIVE_INFINITY;
  return (events * (last.minutes - first.minutes)) / (last.events - first.events);
};

const toRowsAfterCollections = (
  { samples, collected }: Pick<SoakResult, 'samples' | 'collected'>,
  lastRun: readonly Sample[],
  bounds: Bounds,
): BoundedSlope[] => {
  const warm = selectWarm(collected, lastRun);
  const warmUpMinutes = Math.max(WARM_UP_SECONDS / 60, toMinutesOfEvents(samples, WARM_UP_EVENTS));
  return toRows({
    where: 'after collections',
    quantities: COLLECTED_QUANTITIES,
    fitSamples: (toX, toY) => fitInRuns(warm, toX, toY),
    bounds,
    events: countEvents(warm),
    eventsMin: JUDGED_EVENTS_MIN,
    minutesMin: toMinutesForLongRun(warmUpMinutes + toMinutesOfEvents(samples, JUDGED_EVENTS_MIN)),
    narrowing: NARROWING_OF_FIT,
  });
};

/**
 * The slopes of a soak test whose server was killed at the age of `killEverySeconds`: in each run with its warm-up; in
 * the last run after it, in samples directly after complete garbage collections; from run to run at the same age, which
 * shows what the data directory costs; and what a restart frees after the last run, which shows what that process lost.
 * The embedded chain is in the server's memory, so there only the last can be bounded.
 */
export const toSlopes = (
  { samples, collected, idle }: Pick<SoakResult, 'samples' | 'collected' | 'idle'>,
  chain: SoakChain,
  killEverySeconds: number,
): BoundedSlope[] => {
  const lastRun = samples.filter(({ run }) => run === samples.at(-1)?.run);
  const shown = { ...ONLY_SHOWN, quantities: QUANTITIES };
  return [
    ...toRows<Sample>({ ...shown, where: 'with the warm-up', fitSamples: (toX, toY) => fitInRuns(samples, toX, toY) }),
    ...toRowsAfterCollections({ samples, collected }, lastRun, BOUNDS_AFTER_COLLECTIONS[chain]),
    ...toRows<Sample>({
      ...shown,
      where: 'from run to run',
      fitSamples: (toX, toY) => fitBetweenRuns(samples, killEverySeconds, toX, toY),
    }),
    ...toRows<CollectedSample>({
      where: 'that a restart frees',
      quantities: COLLECTED_QUANTITIES,
      fitSamples: (toX, toY) => fitFreedByRestart(idle, lastRun, toX, toY),
      bounds: BOUNDS_OF_FREED[chain],
      events: countEvents(lastRun),
      eventsMin: FREED_EVENTS_MIN,
      minutesMin: toMinutesForLongRun(toMinutesOfEvents(samples, FREED_EVENTS_MIN)),
      narrowing: NARROWING_OF_DIFFERENCE,
    }),
  ];
};
