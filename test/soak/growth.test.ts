import { expect } from 'chai';
import { createRandom } from '../../bench/random.ts';
import { MEBIBYTE, toSlopes } from './growth.ts';
import { toFailures } from './report.ts';
import type { Sample } from './samples.ts';
import type { SoakChain } from './soakRun.ts';

const EVENTS_PER_SECOND = 400;
const KILL_EVERY = 60;

interface Growth {
  readonly bytesPerEvent?: number;
  readonly bytesPerRunPerMinute?: number;
  readonly descriptorsPerMinute?: number;
}

// Five runs of a minute and one of six, with noise; memory grows in each run, and from run to run.
const toSamples = ({ bytesPerEvent = 0, bytesPerRunPerMinute = 0, descriptorsPerMinute = 0 }: Growth): Sample[] => {
  const random = createRandom(3);
  return Array.from({ length: 660 }, (_, second) => {
    const run = Math.min(5, Math.floor(second / KILL_EVERY));
    const ageSeconds = second - run * KILL_EVERY;
    const noise = (random() - 0.5) * 20 * MEBIBYTE;
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

const failuresOf = (samples: readonly Sample[], chain: SoakChain = 'anvil'): string[] =>
  toFailures({ differences: [] }, toSlopes(samples, chain, KILL_EVERY));

describe('the growth of a server under load', () => {
  it('passes when memory and descriptors are flat', () => {
    expect(failuresOf(toSamples({}))).to.deep.equal([]);
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
    expect(failuresOf(withChain(0), 'embedded')).to.deep.equal([]);
    expect(failuresOf(withChain(4_000), 'embedded')).to.include(
      'the slope of memory without the chain in a run lies above 3000 bytes/event',
    );
    expect(failuresOf(withChain(0), 'anvil')).to.have.length(2);
  });

  it('does not judge the memory of a run that is too short', () => {
    const short = toSamples({ bytesPerEvent: 1_024 }).slice(0, 500);
    expect(failuresOf(short)).to.deep.equal([]);
    expect(failuresOf(short.slice(0, 40))).to.deep.equal([]);
  });

  it('fails when there is a difference', () => {
    expect(toFailures({ differences: ['one'] }, [])).to.have.length(1);
  });
});
