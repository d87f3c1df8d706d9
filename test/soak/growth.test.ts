import { expect } from 'chai';
import { createRandom } from '../../bench/random.ts';
import { type BoundedSlope, MEBIBYTE, toSlopes } from './growth.ts';
import { type Decision, decide, toExitCode } from './report.ts';
import type { CollectedSample, Sample } from './samples.ts';
import type { SoakChain, SoakResult } from './soakRun.ts';

const EVENTS_PER_SECOND = 400;
const KILL_EVERY = 60;

interface Growth {
  /** Of memory in use. */
  readonly bytesPerEvent?: number;
  /** Of memory in use, of JavaScript's objects. */
  readonly heapBytesPerEvent?: number;
  readonly noiseBytes?: number;
  /** Garbage before a collection. */
  readonly garbageBytes?: number;
}

type Measured = Pick<SoakResult, 'samples' | 'collected' | 'idle'>;

const BYTES = 400 * MEBIBYTE;
const HEAP_BYTES = 50 * MEBIBYTE;
const DESCRIPTORS = 100;
/** Noise of memory without load. */
const IDLE_NOISE_BYTES = MEBIBYTE;
const COLLECT_EVERY = 15;
/** Of LevelDB's files, which are mapped into memory. */
const FILE_BYTES_PER_EVENT = 400;
const GARBAGE_SECONDS = 150;

// Five runs of a minute and one of six, with noise; memory grows in each run.
const toSample = (second: number, random: () => number, growth: Growth): CollectedSample => {
  const { bytesPerEvent = 0, heapBytesPerEvent = 0, noiseBytes = 4 * MEBIBYTE } = growth;
  const run = Math.min(5, Math.floor(second / KILL_EVERY));
  const ageSeconds = second - run * KILL_EVERY;
  const served = EVENTS_PER_SECOND * ageSeconds;
  const noise = (random() - 0.5) * noiseBytes;
  const anonymous = BYTES + bytesPerEvent * served + noise;
  return {
    run,
    ageSeconds,
    minutes: second / 60,
    memory: anonymous + FILE_BYTES_PER_EVENT * served,
    anonymous,
    descriptors: DESCRIPTORS + Math.floor(random() * 4),
    pending: 0,
    events: second * EVENTS_PER_SECOND,
    heapUsed: HEAP_BYTES + heapBytesPerEvent * served + random() * MEBIBYTE,
    external: MEBIBYTE,
    collectionMs: 100,
  };
};

// Memory rises to a collection by Node every 150 s, of which the samples after a collection show nothing.
const withGarbage = (sample: Sample, garbageBytes: number): Sample => ({
  ...sample,
  memory: sample.memory + (garbageBytes * (sample.ageSeconds % GARBAGE_SECONDS)) / GARBAGE_SECONDS,
});

// A process without load at about this memory and with so many descriptors.
const toIdle = (memory: number, descriptors: number, heapUsed: number, seed: number): CollectedSample[] => {
  const random = createRandom(seed);
  return Array.from({ length: 15 }, (_, second) => ({
    run: 6,
    ageSeconds: second,
    minutes: 11 + second / 60,
    memory: memory + random() * IDLE_NOISE_BYTES,
    anonymous: memory,
    descriptors: descriptors + Math.floor(random() * 2),
    pending: 0,
    events: 0,
    heapUsed: heapUsed + random() * IDLE_NOISE_BYTES,
    external: MEBIBYTE,
    collectionMs: 100,
  }));
};

interface Ended {
  readonly memory?: number;
  readonly descriptors?: number;
  readonly heapUsed?: number;
}

// Without load at the end, and three new processes.
const toIdleSamples = ({ memory = BYTES, descriptors = DESCRIPTORS, heapUsed = HEAP_BYTES }: Ended = {}) => ({
  ended: toIdle(memory, descriptors, heapUsed, 5),
  restarted: [6, 7, 8].map((seed) => toIdle(BYTES + seed * IDLE_NOISE_BYTES, DESCRIPTORS, HEAP_BYTES, seed)),
});

const measure = (growth: Growth = {}, ended: Ended = {}, seconds = 660): Measured => {
  const random = createRandom(3);
  const all = Array.from({ length: seconds }, (_, second) => toSample(second, random, growth));
  return {
    samples: all.map((sample) => withGarbage(sample, growth.garbageBytes ?? 0)),
    collected: all.filter(({ run, ageSeconds }) => run === 5 && ageSeconds % COLLECT_EVERY === 0),
    idle: toIdleSamples(ended),
  };
};

const MINUTES = 11;

const KILLED = { differences: [], restartsMs: [9_000] };

const decideOn = (measured: Measured, chain: SoakChain = 'anvil'): Decision =>
  decide(KILLED, toSlopes(measured, chain, KILL_EVERY), MINUTES);

const failuresOf = (measured: Measured, chain: SoakChain = 'anvil'): readonly string[] =>
  decideOn(measured, chain).failures;

const findRow = (rows: readonly BoundedSlope[], name: string): BoundedSlope =>
  rows.find(({ title }) => title === name)!;

const PASSED: Decision = { failures: [], undecided: [] };
const EVENTS_OF_LAST_RUN = EVENTS_PER_SECOND * 359;

describe('the growth of a server under load', () => {
  it('passes when memory and descriptors are flat', () => {
    expect(decideOn(measure())).to.deep.equal(PASSED);
    expect(toExitCode(decideOn(measure()))).to.equal(0);
  });

  it('passes when garbage rises and is collected', () => {
    const measured = measure({ garbageBytes: 300 * MEBIBYTE });
    expect(decideOn(measured)).to.deep.equal(PASSED);
    const [shown] = toSlopes(measured, 'anvil', KILL_EVERY);
    expect(shown!.fit!.upper - shown!.fit!.lower).to.be.above(10);
  });

  it('fails when a run loses a kibibyte for each event', () => {
    expect(failuresOf(measure({ bytesPerEvent: 1_024 }))).to.deep.equal([
      'the slope of anonymous memory after collections lies above 1 MiB/minute',
    ]);
  });

  it('fails when objects of JavaScript are lost, also where memory does not show it', () => {
    expect(failuresOf(measure({ heapBytesPerEvent: 200 }))).to.deep.equal([
      'the slope of heap after collections lies above 1 MiB/minute',
    ]);
    expect(failuresOf(measure({ heapBytesPerEvent: 200 }), 'embedded')).to.deep.equal([]);
    expect(failuresOf(measure({}, { heapUsed: HEAP_BYTES + 300 * EVENTS_OF_LAST_RUN }), 'embedded')).to.deep.equal([
      'the slope of heap that a restart frees lies above 200 bytes/event',
    ]);
  });

  it('judges memory only after 120 s and 12,000 events of a run', () => {
    const grown = measure();
    const toEarly = (sample: CollectedSample): CollectedSample =>
      sample.ageSeconds < 120 ? { ...sample, anonymous: sample.anonymous + 1_000 * MEBIBYTE } : sample;
    expect(decideOn({ ...grown, collected: grown.collected.map(toEarly) })).to.deep.equal(PASSED);
    const slowly = grown.samples.map((sample) => ({ ...sample, events: sample.run * 30 * sample.ageSeconds }));
    const collected = grown.collected.map((sample) => ({ ...sample, events: 5 * 30 * sample.ageSeconds }));
    // 150 events/s: the 12,000th after 80 s; 30: after 400 s, which no run reaches.
    const after = findRow(
      toSlopes({ ...grown, samples: slowly, collected }, 'anvil', KILL_EVERY),
      'anonymous memory after collections',
    );
    expect(after.fit!.points).to.equal(16);
    const slower = collected.map((sample) => ({ ...sample, events: 30 * sample.ageSeconds }));
    const none = findRow(
      toSlopes({ ...grown, samples: slowly, collected: slower }, 'anvil', KILL_EVERY),
      'anonymous memory after collections',
    );
    expect(none.fit).to.equal(undefined);
  });

  it('fails when a run loses descriptors', () => {
    // The last run lasts 6 minutes.
    expect(failuresOf(measure({}, { descriptors: DESCRIPTORS + 18 }))).to.deep.equal([
      'the slope of descriptors that a restart frees lies above 1 1/minute',
    ]);
  });

  it('passes when a new process needs as much memory for the embedded chain, and fails when it needs less', () => {
    const measureLost = (bytesPerEvent: number): Measured =>
      measure({ bytesPerEvent: 20_000 }, { memory: BYTES + bytesPerEvent * EVENTS_OF_LAST_RUN });
    expect(decideOn(measureLost(2_500), 'embedded')).to.deep.equal(PASSED);
    expect(failuresOf(measureLost(3_500), 'embedded')).to.deep.equal([
      'the slope of memory that a restart frees lies above 3000 bytes/event',
    ]);
    expect(failuresOf(measureLost(2_500), 'anvil')).to.deep.equal([
      'the slope of anonymous memory after collections lies above 1 MiB/minute',
    ]);
  });

  it('decides nothing where noise hides the slope', () => {
    const decision = decideOn(measure({ noiseBytes: 200 * MEBIBYTE }));
    expect(decision.failures).to.deep.equal([]);
    expect(decision.undecided.map((line) => line.replace(/\d+ minutes/, 'N minutes'))).to.deep.equal([
      'the slope of anonymous memory after collections, which needs about N minutes',
    ]);
    expect(toExitCode(decision)).to.equal(2);
  });

  it('decides nothing about a run that is too short', () => {
    const growth = { bytesPerEvent: 1_024 };
    const short = measure(growth, {}, 445);
    expect(decideOn(short).failures).to.deep.equal([]);
    expect(decideOn(short).undecided[0]).to.match(
      /^the slope of anonymous memory after collections, which needs about \d+ minutes$/,
    );
    const memory = findRow(toSlopes(short, 'anvil', KILL_EVERY), 'anonymous memory after collections');
    // 60 % of it are 2 minutes of warm-up and 12,000 events at 24,000 a minute.
    expect(memory.minutesMin).to.be.closeTo(4.17, 0.01);
    expect(decideOn(measure(growth, {}, 40)).undecided).to.have.length(3);
    const nothing = { samples: [], collected: [], idle: { ended: [], restarted: [] } };
    expect(decideOn(nothing).undecided).to.have.length(3);
  });

  it('decides nothing about runs without events', () => {
    const { samples, collected, idle } = measure();
    const measured = {
      samples: samples.map((sample) => ({ ...sample, events: 0 })),
      collected: collected.map((sample) => ({ ...sample, events: 0 })),
      idle,
    };
    expect(decideOn(measured).undecided).to.include(
      'the slope of anonymous memory after collections, which needs an unknown number of minutes',
    );
    expect(decideOn(measured, 'embedded').undecided).to.deep.equal([
      'the slope of memory that a restart frees, which needs an unknown number of minutes',
      'the slope of heap that a restart frees, which needs an unknown number of minutes',
    ]);
  });

  it('decides nothing where new processes differ by more than the bound', () => {
    const { idle, ...measured } = measure();
    const [first, ...others] = idle.restarted;
    const larger = first!.map((sample) => ({ ...sample, memory: sample.memory + BYTES }));
    const different = { ended: idle.ended, restarted: [larger, ...others] };
    const decision = decideOn({ ...measured, idle: different }, 'embedded');
    expect(decision).to.deep.equal({
      failures: [],
      undecided: ['the slope of memory that a restart frees, which needs about 62 minutes'],
    });
  });

  it('leaves open whether records survive a SIGKILL when none happened', () => {
    const decision = decide({ differences: [], restartsMs: [] }, toSlopes(measure(), 'anvil', KILL_EVERY), MINUTES);
    expect(decision.failures).to.deep.equal([]);
    expect(decision.undecided).to.have.length(1);
    expect(decision.undecided[0]).to.match(/^whether records survive a SIGKILL: none happened/);
    expect(toExitCode(decision)).to.equal(2);
  });

  it('fails when there is a difference, also where a slope is not decided', () => {
    const short = toSlopes(measure({}, {}, 40), 'anvil', KILL_EVERY);
    const decision = decide({ ...KILLED, differences: ['one'] }, short, MINUTES);
    expect(decision.failures).to.have.length(1);
    expect(toExitCode(decision)).to.equal(1);
  });
});
