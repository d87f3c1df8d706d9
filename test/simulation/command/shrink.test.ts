// Shrinking: the smallest part of a plan that fails the same check.
import { mock } from 'node:test';
import { expect } from 'chai';
import type { Plan, Violation } from '../plan/plan.ts';
import { applyChange, type PlanChange } from './planChange.ts';
import { findSmallest, type RunChanged, shrink } from './shrink.ts';

const plan: Plan = {
  seed: 7,
  chain: 'embedded',
  settings: {},
  requests: Array.from({ length: 30 }, (_, atMs) => ({ kind: 'event', atMs })),
  faults: Array.from({ length: 9 }, (_, atMs) => ({ kind: 'kill', atMs })),
};

// Fails check A with the faults 2 and 5 and the request 17, and check B with fault 8 alone.
const run: RunChanged = async (change) => {
  const { faults, requests } = applyChange(plan, change);
  const has = (items: readonly { atMs: number }[], ...times: number[]): boolean =>
    times.every((time) => items.some(({ atMs }) => atMs === time));
  const violations: Violation[] = [];
  if (has(faults, 8)) violations.push({ check: 'B', text: '' });
  if (has(faults, 2, 5) && has(requests, 17)) violations.push({ check: 'A', text: '' });
  const task = { seed: plan.seed, change, hasStory: false };
  return { task, plan, violations, counts: {}, virtualMs: 0, tasks: 0, story: [] };
};

const shrinkTo = (check: string, change: PlanChange = {}, runsMax = 300, msMax = 60_000) =>
  shrink({ plan: applyChange(plan, change), check, change, run, runsMax, msMax });

describe('shrinking', () => {
  it('keeps the faults and requests that the same check needs', async () => {
    expect((await shrinkTo('A')).change).to.deep.equal({ faults: [2, 5], requests: [17] });
    expect((await shrinkTo('B')).change).to.deep.equal({ faults: [8], requests: [] });
  });

  it('continues from a run that was changed before', async () => {
    const change = { faults: [1, 2, 5, 8], requests: [3, 17] };
    expect((await shrinkTo('A', change)).change).to.deep.equal({ faults: [2, 5], requests: [17] });
    expect((await shrinkTo('A', { faults: [2, 5], requests: [17] })).change.requests).to.deep.equal([17]);
  });

  it('ends with the smallest run so far when its runs are used up', async () => {
    const { change, runs } = await shrinkTo('A', {}, 4);
    expect(runs).to.equal(4);
    expect((await run(change))!.violations.map(({ check }) => check)).to.include('A');
  });

  it('ends with the smallest run so far when its time has passed', async () => {
    expect(await shrinkTo('A', { faults: [2, 5, 8] }, 300, 0)).to.deep.include({ runs: 0 });
    let nowMs = 0;
    const slowRun: RunChanged = (change) => {
      nowMs += 30;
      return run(change);
    };
    const clock = mock.method(performance, 'now', () => nowMs);
    const { runs } = await shrink({ plan, check: 'A', change: {}, run: slowRun, runsMax: 300, msMax: 100 });
    clock.mock.restore();
    expect(runs).to.equal(4);
  });

  it('names no list that is complete', async () => {
    expect((await shrinkTo('A', {}, 0)).change.requests).to.equal(undefined);
  });

  it('finds every set of up to three items among eight, from which none can be left out', async () => {
    for (let bits = 0; bits < 256; bits += 1) {
      const needed = [...Array(8).keys()].filter((at) => (bits >> at) & 1);
      if (needed.length > 3) continue;
      const fails = async (kept: readonly number[]) => needed.every((at) => kept.includes(at));
      expect(await findSmallest([...Array(8).keys()], fails)).to.deep.equal(needed);
    }
  });
});
