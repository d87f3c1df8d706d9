// Reads that found nothing share a look at the chain, and none waits longer than for one node.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createHeadCatchUp } from '../../host/headCatchUp.ts';
import { until } from '../support/until.ts';

describe('catching up after a read that found nothing', () => {
  it('asks the chain once for all reads that wait, and again for one that comes during a run', async () => {
    const runs: (() => void)[] = [];
    const catchUp = createHeadCatchUp({
      refresh: () => new Promise((resolve) => runs.push(resolve)),
      waitMs: 60_000,
    });
    const first = Promise.all(Array.from({ length: 100 }, catchUp));
    await until(() => runs.length === 1);
    // The head of the run in progress may be older than this read.
    const second = Promise.all(Array.from({ length: 100 }, catchUp));
    runs[0]!();
    expect(await first).to.deep.equal(Array.from({ length: 100 }, () => true));
    await until(() => runs.length === 2);
    runs[1]!();
    expect((await second).every((isThere) => isThere)).to.equal(true);
    expect(runs).to.have.length(2);
  });

  it('asks at most ten times a second, however many reads find nothing', async () => {
    let runs = 0;
    const refresh = async (): Promise<void> => {
      runs += 1;
    };
    const catchUp = createHeadCatchUp({ refresh, waitMs: 60_000 });
    const beganMs = performance.now();
    for (let read = 0; read < 6; read += 1) await Promise.all([catchUp(), catchUp()]);
    expect(runs).to.equal(6);
    expect(performance.now() - beganMs).to.be.at.least(490);
  });

  it('gives up after its time, at once for later reads, and recovers', async () => {
    const runs: (() => void)[] = [];
    const catchUp = createHeadCatchUp({ refresh: () => new Promise((resolve) => runs.push(resolve)), waitMs: 50 });
    expect(await catchUp()).to.equal(false);
    await sleep(60);
    const beganMs = performance.now();
    expect(await catchUp()).to.equal(false);
    expect(performance.now() - beganMs).to.be.below(40);
    runs[0]!();
    await sleep(0);
    const recovered = catchUp();
    await until(() => runs.length === 2);
    runs[1]!();
    expect(await recovered).to.equal(true);
  });

  it('is false when the chain refuses', async () => {
    const catchUp = createHeadCatchUp({ refresh: () => Promise.reject(new Error('away')), waitMs: 60_000 });
    expect(await catchUp()).to.equal(false);
    expect(await catchUp()).to.equal(false);
  });
});
