import { expect } from 'chai';
import { createRandom } from '../../bench/random.ts';
import { MEBIBYTE, toSlopes } from './growth.ts';
import { type Decision, decide, toExitCode } from './report.ts';
import type { Sample } from './samples.ts';
import type { SoakChain } from './soakRun.ts';

const EVENTS_PER_SECOND = 400;
const KILL_EVERY = 60;

interface Growth {
  readonly bytesPerEvent?: number;
  readonly bytesPerRunPerMinute?: number;
  readonly descriptorsPerMinute?: number;
  readonly noiseBytes?: number;
}

// Five runs of a minute and one of six, with noise; memory grows in each run, and from run to run.
const toSamples = (growth: Growth): Sample[] => {
  const { bytesPerEvent = 0, bytesPerRunPerMinute = 0, descriptorsPerMinute = 0, noiseBytes = 10 * MEBIBYTE } = growth;
  const random = createRandom(3);
  return Array.from({ length: 660 }, (_, second) => {
    const run = Math.min(5, Math.floor(second / KILL_EVERY));
    const ageSeconds = second - run * KILL_EVERY;
    const noise = (random() - 0.5) * noiseBytes;
    const grown = bytesPerEvent * EVENTS_PER_SECOND * ageSeconds + bytesPerRunPerMinute * run;
    return {
      run,
      ageSeconds,
      minutes: second / 60,
      memory: 400 * MEBIBYTE + grown + noise,
      descriptors: 100 + Math.floor((descriptorsPerMinute * ageSeconds) / 60 + random() * 4),
      pending: 0,
      events: second * EVENTS_PER_SECOND,
      block: second * 50,
    };
  });
};

const MINUTES = 11;

const decideOn = (samples: readonly Sample[], chain: SoakChain = 'anvil'): Decision =>
  decide({ differences: [] }, toSlopes(samples, chain, KILL_EVERY), MINUTES);

const failuresOf = (samples: readonly Sample[], chain: SoakChain = 'anvil'): readonly string[] =>
  decideOn(samples, chain).failures;

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

  it('fails when each run needs more memory than the run before', () => {
    const failures = failuresOf(toSamples({ bytesPerRunPerMinute: 20 * MEBIBYTE }));
    expect(failures).to.deep.equal(['the slope of memory from run to run lies above 1 MiB/minute']);
  });

  it('fails when a run loses descriptors', () => {
    expect(failuresOf(toSamples({ descriptorsPerMinute: 3 }))).to.deep.equal([
      'the slope of descriptors in a run lies above 1 1/minute',
    ]);
  });

  it('passes when the embedded chain grows as documented, and fails when it grows by more', () => {
    const withChain = (more: number): Sample[] =>
      toSamples({}).map((sample) => ({
        ...sample,
        memory: sample.memory + (12_000 + more) * sample.events + 25_000 * sample.block,
      }));
    expect(decideOn(withChain(0), 'embedded')).to.deep.equal(PASSED);
    expect(failuresOf(withChain(4_000), 'embedded')).to.include(
      'the slope of memory without the chain in a run lies above 3000 bytes/event',
    );
    expect(failuresOf(withChain(0), 'anvil')).to.have.length(2);
  });

  it('decides nothing where noise hides the slope', () => {
    const decision = decideOn(toSamples({ noiseBytes: 200 * MEBIBYTE }));
    expect(decision.failures).to.deep.equal([]);
    expect(decision.undecided.map((line) => line.replace(/\d+ minutes/, 'N minutes'))).to.deep.equal([
      'the slope of memory in a run, which needs about N minutes',
      'the slope of memory from run to run, which needs about N minutes',
    ]);
    expect(toExitCode(decision)).to.equal(2);
  });

  it('decides nothing about a run that is too short', () => {
    const short = toSamples({ bytesPerEvent: 1_024 }).slice(0, 500);
    expect(decideOn(short).failures).to.deep.equal([]);
    expect(decideOn(short).undecided[0]).to.match(/^the slope of memory in a run, which needs about \d+ minutes$/);
    const memory = toSlopes(short, 'anvil', KILL_EVERY).find(({ title }) => title === 'memory in a run');
    // Two halves of 2 minutes of warm-up and 50,000 events at 24,000 a minute.
    expect(memory?.minutesMin).to.be.closeTo(8.17, 0.01);
    expect(decideOn(short.slice(0, 40)).undecided).to.have.length(4);
    expect(decideOn([]).undecided).to.have.length(4);
  });

  it('fails when there is a difference, also where a slope is not decided', () => {
    const decision = decide({ differences: ['one'] }, toSlopes([], 'anvil', KILL_EVERY), MINUTES);
    expect(decision.failures).to.have.length(1);
    expect(toExitCode(decision)).to.equal(1);
  });
});
