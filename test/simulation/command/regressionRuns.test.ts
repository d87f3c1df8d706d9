// Regressions with the simulation of fakeWorker.ts, whose plans have four faults and four requests.
import { expect } from 'chai';
import { runRegressions } from './regressionRuns.ts';
import type { Regression } from './regressions.ts';
import { createWorker, type Worker } from './workers.ts';

const STALE: Regression = { seed: 2, faults: [1, 7], defect: 'gone', found: 'It was wrong.' };
const CLEAN: Regression = { seed: 3, faults: [1], defect: 'repaired', found: 'This was wrong.' };
const FAILING: Regression = { seed: 10, defect: 'back', found: 'That was wrong.' };

describe('the command that runs the regressions', () => {
  let worker: Worker;
  let printed: string[];
  beforeEach(() => {
    worker = createWorker({ entry: new URL('fakeWorker.ts', import.meta.url) });
    printed = [];
  });
  afterEach(() => worker.stop());

  const run = (...entries: Regression[]) =>
    runRegressions({ workers: [worker], print: (text) => void printed.push(text) }, entries);

  it('passes when all are clean', async () => {
    expect(await run(CLEAN)).to.deep.equal({ isClean: true, done: 1 });
    expect(printed).to.deep.equal(['seed 3 (repaired): clean. This was wrong.']);
  });

  it('names an entry that no longer fits its plan, and goes on', async () => {
    expect(await run(STALE, CLEAN)).to.deep.equal({ isClean: false, done: 2 });
    expect(printed).to.deep.equal([
      'seed 2 (gone): renew the entry: the plan of seed 2 has no faults at the positions 7; it has 0-3',
      'seed 3 (repaired): clean. This was wrong.',
    ]);
  });

  it('prints the story of one that fails, and goes on', async () => {
    expect(await run(FAILING, CLEAN)).to.deep.equal({ isClean: false, done: 2 });
    expect(printed[0]).to.equal('seed 10 (back): FAILS. That was wrong.');
    expect(printed[1]).to.contain('record 1 exists twice');
    expect(printed).to.have.length(3);
  });

  it('ends when the worker is stopped', async () => {
    worker.stop();
    expect(await run(CLEAN)).to.deep.equal({ isClean: false, done: 0 });
  });
});
