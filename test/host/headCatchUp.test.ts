// Reads that found nothing share a look at the chain, and none waits longer than for one node.
import { expect } from 'chai';
import { createHeadCatchUp } from '../../host/headCatchUp.ts';
import { useVirtualTime } from '../support/virtualTime.ts';

describe('catching up after a read that found nothing', () => {
  const time = useVirtualTime();
  let nowMs: number;
  beforeEach(() => {
    nowMs = 0;
  });
  const pass = async (ms: number): Promise<void> => {
    await time.turns();
    nowMs += ms;
    await time.pass(ms);
  };
  const create = (refresh: () => Promise<void>, waitMs = 60_000) =>
    createHeadCatchUp({ refresh, waitMs, nowMs: () => nowMs });

  it('asks the chain once for all reads that wait, and again for one that comes during a run', async () => {
    const runs: (() => void)[] = [];
    const catchUp = create(() => new Promise((resolve) => runs.push(resolve)));
    const first = Promise.all(Array.from({ length: 100 }, catchUp));
    await time.until(() => runs.length === 1);
    // The head of the run in progress may be older than this read.
    const second = Promise.all(Array.from({ length: 100 }, catchUp));
    runs[0]!();
    expect(await first).to.deep.equal(Array.from({ length: 100 }, () => true));
    await pass(100);
    runs[1]!();
    expect((await second).every((isThere) => isThere)).to.equal(true);
    expect(runs).to.have.length(2);
  });

  it('asks at most ten times a second, however many reads find nothing', async () => {
    let runs = 0;
    const refresh = async (): Promise<void> => {
      runs += 1;
    };
    const catchUp = create(refresh);
    for (let read = 1; read <= 6; read += 1) {
      const found = Promise.all([catchUp(), catchUp()]);
      await pass(read === 1 ? 0 : 99);
      expect(runs).to.equal(Math.max(1, read - 1));
      if (read > 1) await pass(1);
      expect([await found, runs]).to.deep.equal([[true, true], read]);
    }
  });

  it('gives up after its time, at once for later reads, and recovers', async () => {
    const runs: (() => void)[] = [];
    const catchUp = create(() => new Promise((resolve) => runs.push(resolve)), 50);
    const tooLate = catchUp();
    await pass(0);
    await pass(51);
    expect(await tooLate).to.equal(false);
    // No time passes.
    expect(await catchUp()).to.equal(false);
    runs[0]!();
    await time.turns();
    const recovered = catchUp();
    await pass(49);
    expect(runs).to.have.length(2);
    runs[1]!();
    expect(await recovered).to.equal(true);
  });

  it('is false when the chain refuses', async () => {
    const catchUp = create(() => Promise.reject(new Error('away')));
    for (let read = 0; read < 2; read += 1) {
      const found = catchUp();
      await pass(100);
      expect(await found).to.equal(false);
    }
  });
});
