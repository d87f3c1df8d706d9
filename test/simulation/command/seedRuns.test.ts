// Runs of many seeds with the simulation of fakeWorker.ts: failures, their explanation, the search for a defect.
import { expect } from 'chai';
import type { Defect } from '../defects/defect.ts';
import { defects } from '../defects/defects.ts';
import { formatDefect, searchDefect, toDefectTable } from './defectRuns.ts';
import { explainFailures, runSeeds, type SeedRuns } from './seedRuns.ts';
import { createWorker, PROCESS_CHECK, type Worker } from './workers.ts';

const entry = new URL('fakeWorker.ts', import.meta.url);
const defect = defects[0]!;
/** From this seed on a fake worker with the defect ends. */
const CRASHES = 100_001;

describe('runs of seeds', () => {
  let workers: Worker[];
  let printed: string[];
  /** What the progress line showed. */
  let shown: string[];
  let stopping: AbortController;
  let runs: SeedRuns;
  beforeEach(() => {
    workers = [createWorker({ entry }), createWorker({ entry })];
    printed = [];
    shown = [];
    stopping = new AbortController();
    const progress = { show: (text: () => string) => shown.push(text()), clear: () => undefined };
    runs = { workers, progress, signal: stopping.signal, print: (text) => printed.push(text) };
  });
  afterEach(() => {
    for (const worker of workers) worker.stop();
  });

  const seeds = (first: number, count: number) => ({ first, count, change: {}, chain: undefined, hasStory: false });

  it('run every seed once, and show failures and progress', async () => {
    const tally = await runSeeds(runs, seeds(20, 15));
    expect(tally.runs).to.equal(15);
    expect(tally.failures.map(({ task }) => task.seed).sort()).to.deep.equal([20, 30]);
    expect(printed).to.include('seed 20 fails: records exist once');
    expect(shown.at(-1)).to.match(/^15 of 15 seeds, [\d.]+\/s, 2 failed$/);
  });

  it('end also where the next number is not exact', async () => {
    expect((await runSeeds(runs, seeds(Number.MAX_SAFE_INTEGER, 3))).runs).to.equal(3);
  });

  it('end early when they are interrupted', async () => {
    const running = runSeeds(runs, seeds(15, 100_000_000));
    stopping.abort();
    for (const worker of workers) worker.stop();
    expect((await running).runs).to.be.lessThan(100);
  });

  it('explain the first failure of each check with its smallest run', async () => {
    const { failures } = await runSeeds(runs, seeds(20, 15));
    printed = [];
    await explainFailures(runs, failures);
    expect(printed).to.have.length(1);
    expect(printed[0]).to.contain('with 4 faults and 4 requests was shrunk in ');
    expect(shown.at(-1)).to.match(/^shrinks seed [23]0: run \d+ of at most 300$/);
    expect(printed[0]).to.contain(
      'the embedded chain, 2 requests, 1 fault\n  fault 2  kill from 0.003 s  point before',
    );
    expect(printed[0]).to.contain('server  starts with no defect');
    expect(printed[0]).to.match(/--seed [23]0 --trace --keep 2 --keep-requests 1,3$/);
  });

  it('show that a seed failed once and not again', async () => {
    const { failures } = await runSeeds({ ...runs, workers: workers.slice(0, 1) }, seeds(11, 1));
    printed = [];
    await explainFailures(runs, failures);
    expect(printed[0]).to.contain('Seed 11 failed once and not again: it depends on something besides its seed.');
  });

  it('explain a process that ended with its error', async () => {
    const { failures } = await runSeeds(runs, seeds(13, 1));
    printed = [];
    await explainFailures(runs, failures);
    expect(printed[0]).to.contain('Error: seed 13 throws');
    expect(printed[0]).to.contain('--seed 13 --trace --keep none --keep-requests none');
  });

  it('explain a run that hangs without running it again', async () => {
    const hanging = createWorker({ entry, hangMs: 2_000 });
    workers.push(hanging);
    const { failures } = await runSeeds({ ...runs, workers: [hanging] }, seeds(14, 1));
    hanging.stop();
    printed = [];
    await explainFailures({ ...runs, workers: [hanging] }, failures);
    expect(printed).to.have.length(1);
    expect(printed[0]).to.contain('Seed 14: the embedded chain').and.to.contain('no end after 2 s of real time');
    expect(printed[0]).to.match(/--seed 14 --trace$/);
  });

  const search = async (firstSeed: number, seedsMax: number, searched: Defect = defect) => {
    const planted = [createWorker({ entry, args: [defect.name] }), createWorker({ entry, args: [defect.name] })];
    workers.push(...planted);
    const reference = workers[0]!;
    const { signal } = stopping;
    const onRun = () => undefined;
    return searchDefect({ defect: searched, workers: planted, reference, firstSeed, seedsMax, onRun, signal });
  };

  it('find a defect by the first seed that is clean without it', async () => {
    const result = await search(15, 2_000);
    expect(result).to.deep.include({ seeds: 3, check: 'records exist once', isOrdinaryPathClean: true });
    expect(formatDefect(result)).to.match(new RegExp(`^${defect.name}: 3 seeds, [\\d.]+ s, records exist once$`));
    expect(toDefectTable([result])).to.match(/\| 3 \| [\d.]+ \| clean \| records exist once \|$/);
  });

  it('end a search at the largest seed', async () => {
    const result = await searchDefect({
      defect,
      workers,
      reference: workers[0]!,
      firstSeed: Number.MAX_SAFE_INTEGER,
      seedsMax: 1,
      onRun: (ended) => shown.push(`${ended}`),
      signal: stopping.signal,
    });
    expect(result).to.deep.include({ seeds: undefined, isOrdinaryPathClean: true });
    expect(shown).to.deep.equal(['1']);
  });

  it('count no seed that fails without the defect too', async () => {
    const result = await search(20, 4);
    expect(result).to.deep.include({ seeds: undefined, check: '' });
    expect(formatDefect(result)).to.contain(`NOT FOUND`).and.to.contain(defect.foundBy);
    expect(toDefectTable([result])).to.contain('| not found |');
  });

  it('count no seed that ends the process, unless the defect states it', async () => {
    // The process ends at each of these seeds with the defect.
    const result = await search(CRASHES, 3);
    expect(result).to.deep.include({ seeds: undefined, endedRuns: 3 });
    expect(formatDefect(result)).to.match(/3 runs ended or blocked the process, which is no proof$/);
    const stated = await search(CRASHES, 3, { ...defect, endsProcess: true });
    expect(stated).to.deep.include({ seeds: 1, check: PROCESS_CHECK, endedRuns: 0 });
  });

  it('end a search early when every seed ends the process', async () => {
    const { seeds: found, endedRuns } = await search(CRASHES, 2_000);
    expect(found).to.equal(undefined);
    expect(endedRuns).to.be.within(10, 11);
  });
});
