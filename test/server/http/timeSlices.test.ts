import { expect } from 'chai';
import type { Steps } from '../../../ledger/compliance/steps.ts';
import { createRunInSlices } from '../../../server/http/timeSlices.ts';

const SLICE_MS = 5;

// A clock that a step moves by a millisecond, and an event loop whose other work moves nothing.
const createSetting = () => {
  const setting = { nowMs: 0, stepsSincePause: 0, stepsMax: 0, pauses: 0, order: '' };
  const runInSlices = createRunInSlices({
    nowMs: () => setting.nowMs,
    sliceMs: SLICE_MS,
    pause: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      setting.pauses += 1;
      setting.stepsSincePause = 0;
    },
  });
  function* count<T>(steps: number, result: T, name = '.'): Steps<T> {
    for (let step = 0; step < steps; step += 1) {
      setting.nowMs += 1;
      setting.order += name;
      setting.stepsSincePause += 1;
      setting.stepsMax = Math.max(setting.stepsMax, setting.stepsSincePause);
      yield;
    }
    return result;
  }
  return { setting, runInSlices, count };
};

describe('work in turns', () => {
  it('comes to its result, and lets others have the event loop after each turn', async () => {
    const { setting, runInSlices, count } = createSetting();
    expect(await runInSlices(count(100, 'done'))).to.equal('done');
    expect(setting.stepsMax).to.equal(SLICE_MS);
    expect(setting.pauses).to.be.at.least(100 / SLICE_MS - 1);
  });

  it('has no longer turns where many are under way, and gives each its turn', async () => {
    const { setting, runInSlices, count } = createSetting();
    const results = await Promise.all(['a', 'b', 'c', 'd'].map((name) => runInSlices(count(20, name, name))));
    expect(results).to.eql(['a', 'b', 'c', 'd']);
    expect(setting.stepsMax).to.equal(SLICE_MS);
    expect(setting.order.slice(0, 4 * SLICE_MS)).to.equal('aaaaabbbbbcccccddddd');
  });

  it('shares a turn where it is short', async () => {
    const { setting, runInSlices, count } = createSetting();
    await Promise.all(Array.from({ length: 12 }, () => runInSlices(count(1, undefined))));
    expect(setting.stepsMax).to.equal(SLICE_MS);
  });

  it('fails alone', async () => {
    const { runInSlices, count } = createSetting();
    // biome-ignore lint/correctness/useYield: it fails before its first step is over
    function* fail(): Steps<never> {
      throw new Error('a fault');
    }
    const [failed, other] = await Promise.allSettled([runInSlices(fail()), runInSlices(count(12, 1))]);
    expect(failed).to.have.nested.property('reason.message', 'a fault');
    expect(other).to.eql({ status: 'fulfilled', value: 1 });
  });
});
