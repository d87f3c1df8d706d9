// Worker processes: reports, skipped seeds, processes that end or hang.
import { expect } from 'chai';
import type { RunReport, RunTask } from './messages.ts';
import { PlanChangeError } from './planChange.ts';
import { createWorker, HANG_CHECK, PROCESS_CHECK, runTasks, type Worker } from './workers.ts';

const entry = new URL('fakeWorker.ts', import.meta.url);
const toTask = (seed: number, others: Partial<RunTask> = {}): RunTask => ({
  seed,
  change: {},
  hasStory: false,
  ...others,
});

describe('a worker of the simulation', () => {
  let worker: Worker;
  beforeEach(() => {
    worker = createWorker({ entry, args: ['a-defect'], hangMs: 600_000 });
  });
  afterEach(() => worker.stop());

  it('runs seeds, with a story if it is asked for one', async () => {
    const clean = await worker.run(toTask(1));
    expect(clean).to.deep.include({ violations: [], counts: { 'faults: kill': 4 }, virtualMs: 1_000, story: [] });
    expect(clean!.plan!.seed).to.equal(1);
    const failed = await worker.run(toTask(10, { hasStory: true }));
    expect(failed!.violations).to.deep.equal([{ check: 'records exist once', text: 'record 1 exists twice' }]);
    expect(failed!.story).to.deep.equal([{ atMs: 1, actor: 'server', text: 'starts with a-defect' }]);
  });

  it('runs a part of a plan', async () => {
    const report = await worker.run(toTask(10, { change: { faults: [0, 2], requests: [3] } }));
    expect(report!.plan!.faults.map(({ atMs }) => atMs)).to.deep.equal([1, 3]);
    expect(report!.plan!.requests.map(({ atMs }) => atMs)).to.deep.equal([40]);
    expect(report!.violations).to.deep.equal([]);
  });

  it('refuses a part that the plan does not have', async () => {
    const run = (change: RunTask['change']) => worker.run(toTask(10, { change })).catch((error: unknown) => error);
    expect(await run({ faults: [3, 4, 99] }))
      .to.be.instanceOf(PlanChangeError)
      .with.property('message', 'the plan of seed 10 has no faults at the positions 4,99; it has 0-3');
    expect(await run({ requests: [4] })).to.be.instanceOf(PlanChangeError);
    expect((await worker.run(toTask(1)))!.violations).to.deep.equal([]);
  });

  it('runs a seed on the chain that is asked for', async () => {
    expect((await worker.run(toTask(1, { chain: 'network' })))!.plan!.chain).to.equal('network');
  });

  it('reports the seed whose run ends the process, and continues with another', async () => {
    const report = await worker.run(toTask(13));
    expect(report!.violations[0]!.check).to.equal(PROCESS_CHECK);
    expect(report!.violations[0]!.text).to.contain('exit code 1').and.to.contain('seed 13 throws');
    expect(report!.plan!.seed).to.equal(13);
    expect((await worker.run(toTask(1)))!.violations).to.deep.equal([]);
  });

  it('ends a process whose run hangs, and continues with another', async () => {
    const hasty = createWorker({ entry, hangMs: 10_000 });
    const report = await hasty.run(toTask(14));
    expect(report!.violations).to.deep.equal([{ check: HANG_CHECK, text: 'no end after 10 s of real time' }]);
    expect((await hasty.run(toTask(1)))!.violations).to.deep.equal([]);
    hasty.stop();
  });

  it('resolves a run that is stopped with no report, and runs no other', async () => {
    const running = worker.run(toTask(14));
    worker.stop();
    expect(await running).to.equal(undefined);
    expect(await worker.run(toTask(1))).to.equal(undefined);
  });

  it('adds no listener to the errors of the command', async () => {
    const before = process.stderr.listenerCount('error');
    await worker.run(toTask(1));
    expect(process.stderr.listenerCount('error')).to.equal(before);
  });

  it('shares tasks with others', async () => {
    const other = createWorker({ entry });
    const reports: (RunReport | undefined)[] = [];
    const tasks = [1, 2, 3, 10, 13, 5].map((seed) => toTask(seed))[Symbol.iterator]();
    await runTasks([worker, other], tasks, (report) => {
      reports.push(report);
    });
    other.stop();
    expect(reports.map((report) => report!.task.seed).sort((a, b) => a - b)).to.deep.equal([1, 2, 3, 5, 10, 13]);
    expect(reports.filter((report) => report!.violations.length > 0)).to.have.length(2);
  });
});
