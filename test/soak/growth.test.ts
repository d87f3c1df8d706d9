import { expect } from 'chai';
import { createRandom } from '../../bench/random.ts';
import { type BoundedSlope, MEBIBYTE, toSlopes } from './growth.ts';
import { type Decision, decide, toExitCode } from './report.ts';
import type { IdleSamples, Sample } from './samples.ts';
import type { SoakChain } from './soakRun.ts';

const EVENTS_PER_SECOND = 400;
const KILL_EVERY = 60;

interface Growth {
  readonly bytesPerEvent?: number;
  readonly noiseBytes?: number;
}

const BYTES = 400 * MEBIBYTE;
const DESCRIPTORS = 100;
/** Noise of memory without load. */
const IDLE_NOISE_BYTES = MEBIBYTE;

// Five runs of a minute and one of six, with noise; memory grows in each run.
const toSamples = (growth: Growth): Sample[] => {
  const { bytesPerEvent = 0, noiseBytes = 10 * MEBIBYTE } = growth;
  const random = createRandom(3);
  return Array.from({ length: 660 }, (_, second) => {
    const run = Math.min(5, Math.floor(second / KILL_EVERY));
    const ageSeconds = second - run * KILL_EVERY;
    const noise = (random() - 0.5) * noiseBytes;
    const grown = bytesPerEvent * EVENTS_PER_SECOND * ageSeconds;
    return {
      run,
      ageSeconds,
      minutes: second / 60,
      memory: BYTES + grown + noise,
      descriptors: DESCRIPTORS + Math.floor(random() * 4),
      pending: 0,
      events: second * EVENTS_PER_SECOND,
    };
  });
};

// A process without load at about this memory and with so many descriptors.
const toIdle = (memory: number, descriptors: number, seed: number): Sample[] => {
  const random = createRandom(seed);
  return Array.from({ length: 15 }, (_, second) => ({
    run: 6,
    ageSeconds: second,
    minutes: 11 + second / 60,
    memory: memory + random() * IDLE_NOISE_BYTES,
    descriptors: descriptors + Math.floor(random() * 2),
    pending: 0,
    events: 0,
  }));
};

// Without load at the end at the first memory, and three new processes at the second.
const toIdleSamples = (ended: number, restarted: number, endedDescriptors = DESCRIPTORS): IdleSamples => ({
  ended: toIdle(ended, endedDescriptors, 5),
  restarted: [6, 7, 8].map((seed) => toIdle(restarted + seed * IDLE_NOISE_BYTES, DESCRIPTORS, seed)),
});

const FLAT = toIdleSamples(BYTES, BYTES);

const MINUTES = 11;

const KILLED = { differences: [], restartsMs: [9_000] };

const decideOn = (samples: readonly Sample[], idle = FLAT, chain: SoakChain = 'anvil'): Decision =>
  decide(KILLED, toSlopes(samples, idle, chain, KILL_EVERY), MINUTES);

const failuresOf = (samples: readonly Sample[], idle = FLAT, chain: SoakChain = 'anvil'): readonly string[] =>
  decideOn(samples, idle, chain).failures;

const findRow = (rows: readonly BoundedSlope[], name: string): BoundedSlope =>
  rows.find(({ title }) => title === name)!;

const PASSED: Decision = { failures: [], undecided: [] };

describe('the growth of a server under load', () => {
  it('passes when memory and descriptors are flat', () => {
    expect(decideOn(toSamples({}))).to.deep.equal(PASSED);
    expect(toExitCode(decideOn(toSamples({})))).to.equal(0);
  });

  it('fails when a run loses a kibibyte for each event', () => {
    expect(failuresOf(toSamples({ bytesPerEvent: 1_024 }))).to.deep.equal([
      'the slope of memory in a run lies above 1 MiB/minute',
    ]);
  });

  it('fails when a run loses descriptors', () => {
    // The last run lasts 6 minutes.
    expect(failuresOf(toSamples({}), toIdleSamples(BYTES, BYTES, DESCRIPTORS + 18))).to.deep.equal([
      'the slope of descriptors that a restart frees lies above 1 1/minute',
    ]);
  });

  it('passes when a new process needs as much memory for the embedded chain, and fails when it needs less', () => {
    const grown = toSamples({ bytesPerEvent: 20_000 });
    const eventsOfLastRun = EVENTS_PER_SECOND * 359;
    const idleAfter = (bytesPerEvent: number): IdleSamples => {
      const ended = BYTES + 20_000 * eventsOfLastRun;
      return toIdleSamples(ended, ended - bytesPerEvent * eventsOfLastRun);
    };
    expect(decideOn(grown, idleAfter(2_500), 'embedded')).to.deep.equal(PASSED);
    expect(failuresOf(grown, idleAfter(3_500), 'embedded')).to.deep.equal([
      'the slope of memory that a restart frees lies above 3000 bytes/event',
    ]);
    expect(failuresOf(grown, idleAfter(2_500), 'anvil')).to.deep.equal([
      'the slope of memory in a run lies above 1 MiB/minute',
    ]);
  });

  it('decides nothing where noise hides the slope', () => {
    const decision = decideOn(toSamples({ noiseBytes: 200 * MEBIBYTE }));
    expect(decision.failures).to.deep.equal([]);
    expect(decision.undecided.map((line) => line.replace(/\d+ minutes/, 'N minutes'))).to.deep.equal([
      'the slope of memory in a run, which needs about N minutes',
    ]);
    expect(toExitCode(decision)).to.equal(2);
  });

  it('decides nothing about a run that is too short', () => {
    const short = toSamples({ bytesPerEvent: 1_024 }).slice(0, 500);
    expect(decideOn(short).failures).to.deep.equal([]);
    expect(decideOn(short).undecided[0]).to.match(/^the slope of memory in a run, which needs about \d+ minutes$/);
    const memory = findRow(toSlopes(short, FLAT, 'anvil', KILL_EVERY), 'memory in a run');
    // Two halves of 2 minutes of warm-up and 50,000 events at 24,000 a minute.
    expect(memory.minutesMin).to.be.closeTo(8.17, 0.01);
    expect(decideOn(short.slice(0, 40)).undecided).to.have.length(2);
    expect(decideOn([], { ended: [], restarted: [] }).undecided).to.have.length(2);
  });

  it('decides nothing about runs with one warm sample each', () => {
    const runs = Array.from({ length: 12 }, (_, run) => ({ ...toSamples({})[0]!, run, ageSeconds: 121 }));
    expect(decideOn(runs).undecided).to.include(
      'the slope of memory in a run, which needs an unknown number of minutes',
    );
  });

  it('decides nothing by events when the last run served none', () => {
    const idle = toSamples({}).map((sample) => ({ ...sample, events: 0 }));
    expect(decideOn(idle, FLAT, 'embedded').undecided).to.deep.equal([
      'the slope of memory that a restart frees, which needs an unknown number of minutes',
    ]);
  });

  it('decides nothing where new processes differ by more than the bound', () => {
    const { ended, restarted } = FLAT;
    const [first, ...others] = restarted;
    const larger = first!.map((sample) => ({ ...sample, memory: sample.memory + BYTES }));
    const idle = { ended, restarted: [larger, ...others] };
    expect(decideOn(toSamples({}), idle, 'embedded')).to.deep.equal({
      failures: [],
      undecided: ['the slope of memory that a restart frees, which needs about 62 minutes'],
    });
  });

  it('leaves open whether records survive a SIGKILL when none happened', () => {
    const slopes = toSlopes(toSamples({}), FLAT, 'anvil', KILL_EVERY);
    const decision = decide({ differences: [], restartsMs: [] }, slopes, MINUTES);
    expect(decision.failures).to.deep.equal([]);
    expect(decision.undecided).to.have.length(1);
    expect(decision.undecided[0]).to.match(/^whether records survive a SIGKILL: none happened/);
    expect(toExitCode(decision)).to.equal(2);
  });

  it('fails when there is a difference, also where a slope is not decided', () => {
    const decision = decide({ ...KILLED, differences: ['one'] }, toSlopes([], FLAT, 'anvil', KILL_EVERY), MINUTES);
    expect(decision.failures).to.have.length(1);
    expect(toExitCode(decision)).to.equal(1);
  });
});
