import { expect } from 'chai';
import type { Steps } from '../../../ledger/compliance/steps.ts';
import { createRunInSlices } from '../../../server/fairness/timeSlices.ts';

const SLICE_MS = 5;

// Each step advances the clock by a millisecond; other work on the event loop doesn't advance it.
const createFixture = () => {
  const state = { nowMs: 0, stepsSincePause: 0, stepsMax: 0, pauses: 0, order: '' };
  const runInSlices = createRunInSlices({
    nowMs: () => state.nowMs,
    sliceMs: SLICE_MS,
    pause: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      state.pauses += 1;
      state.stepsSincePause = 0;
    },
  });
  function* count<T>(steps: number, result: T, name = '.'): Steps<T> {
    for (let step = 0; step < steps; step += 1) {
      state.nowMs += 1;
      state.order += name;
      state.stepsSincePause += 1;
      state.stepsMax = Math.max(state.stepsMax, state.stepsSincePause);
      yield;
    }
    return result;
  }
  return { state, runInSlices, count };
};

describe('work in time slices', () => {
  it('returns its result, and yields the event loop after each slice', async () => {
    const { state, runInSlices, count } = createFixture();
    expect(await runInSlices('a', count(100, 'done'))).to.equal('done');
    expect(state.stepsMax).to.equal(SLICE_MS);
    expect(state.pauses).to.be.at.least(100 / SLICE_MS - 1);
  });

  it('has no longer slices when many tasks are in progress, and runs them in turn', async () => {
    const { state, runInSlices, count } = createFixture();
    const results = await Promise.all(['a', 'b', 'c', 'd'].map((name) => runInSlices('a', count(20, name, name))));
    expect(results).to.eql(['a', 'b', 'c', 'd']);
    expect(state.stepsMax).to.equal(SLICE_MS);
    expect(state.order.slice(0, 4 * SLICE_MS)).to.equal('aaaaabbbbbcccccddddd');
  });

  it('shares a slice with other short tasks', async () => {
    const { state, runInSlices, count } = createFixture();
    await Promise.all(Array.from({ length: 12 }, () => runInSlices('a', count(1, undefined))));
    expect(state.stepsMax).to.equal(SLICE_MS);
  });

  it('fails without affecting other tasks', async () => {
    const { runInSlices, count } = createFixture();
    // biome-ignore lint/correctness/useYield: it fails before its first step ends
    function* fail(): Steps<never> {
      throw new Error('a fault');
    }
    const [failed, other] = await Promise.allSettled([runInSlices('a', fail()), runInSlices('a', count(12, 1))]);
    expect(failed).to.have.nested.property('reason.message', 'a fault');
    expect(other).to.eql({ status: 'fulfilled', value: 1 });
  });

  it('has the same time for each party, whatever the number of its tasks', async () => {
    const { state, runInSlices, count } = createFixture();
    const ofMany = Array.from({ length: 8 }, () => runInSlices('a', count(20, 0, 'a')));
    await Promise.all([...ofMany, runInSlices('b', count(20, 0, 'b'))]);
    expect(state.order.lastIndexOf('b')).to.be.below(10 * SLICE_MS);
  });
});
