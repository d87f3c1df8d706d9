// The simulation of the write path: new seeds each time, the seeds that once found a defect, and determinism.
import { expect } from 'chai';
import { regressions } from './command/regressions.ts';
import { simulate } from './command/runSimulate.ts';
import { createSimulationWorkers } from './command/simulationWorkers.ts';
import type { Note } from './world/world.ts';

const SEEDS = 300;
// Of the summary's counts.
const GROUPS = ['answers', 'faults', 'faulty messages', 'kill points', 'kills', 'lies'];
// Seeds of the test of determinism, on two processes in opposite orders.
const COMPARED = 20;

const tell = async (seeds: readonly number[]): Promise<Map<number, readonly Note[]>> => {
  const [worker] = createSimulationWorkers(1);
  const stories = new Map<number, readonly Note[]>();
  for (const seed of seeds) stories.set(seed, (await worker!.run({ seed, change: {}, hasStory: true }))!.story);
  worker!.stop();
  return stories;
};

describe('the simulation', function () {
  // A test runs up to 300 seeds, which a busy machine needs many minutes for.
  this.timeout(1_200_000);
  // Begins with the first seed, which is needed when the time limit ends the test.
  let begun = '';
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(begun);
    begun = '';
  });

  it(`is clean with ${SEEDS} new seeds`, async () => {
    const { code, output } = await simulate(['--seeds', String(SEEDS)], (text) => {
      begun ||= text;
    });
    expect(code, output).to.equal(0);
    expect(output).to.contain(`${SEEDS} seeds: ${SEEDS} clean, 0 failed`);
    for (const group of GROUPS) expect(output).to.match(new RegExp(`^${group}\\n  \\S`, 'm'));
  });

  it('is clean with the seeds that once found a defect', async () => {
    const { code, output } = await simulate(['--regressions']);
    expect(code, output).to.equal(0);
    expect(output.match(/^seed \d+ \(.+\): clean\./gm) ?? []).to.have.length(regressions.length);
  });

  it('gives each seed the same story in every process, whatever ran before', async () => {
    const first = Date.now() % 1_000_000_007;
    const seeds = Array.from({ length: COMPARED }, (_, at) => first + at);
    const [stories, others] = await Promise.all([tell(seeds), tell(seeds.toReversed())]);
    for (const [seed, story] of stories) expect(others.get(seed), `seed ${seed}`).to.deep.equal(story);
    expect([...stories.values()].flat().length).to.be.greaterThan(10 * COMPARED);
  });

  it('prints the story of a seed and how to run it again', async () => {
    const { output } = await simulate(['--seed', '7', '--trace', '--keep', 'none']);
    expect(output).to.match(/^Seed 7: the (?:embedded|network) chain, \d+ requests?, 0 faults$/m);
    expect(output).to.match(/^ +\d+\.\d{3} s {2}\S/m);
    expect(output).to.contain('To run it again: npm run simulate -- --seed 7 --trace --keep none');
  });

  it('has the way of each record in its stories', async () => {
    const [network, embedded] = await Promise.all(
      ['network', 'embedded'].map((chain) =>
        simulate(['--seed', '7', '--chain', chain, '--trace', '--keep', 'none', '--keep-requests', 'none']),
      ),
    );
    for (const { output } of [network!, embedded!]) {
      expect(output).to.match(/indexes the final blocks up to \d+/);
      expect(output).not.to.contain('cannot describe');
    }
    expect(network!.output).to.match(/writes \d records?\s+\([^)]+\)\s+to\s+the\s+outbox/);
    expect(network!.output).to.match(/removes \d records?\s+\([^)]+\)\s+from\s+the\s+outbox/);
    expect(network!.output).to.match(
      /node\d +accepts from the server transaction 0x\w{8} with nonce \d+: \d records?\s+\(last /,
    );
    expect(network!.output).to.match(/block \d+ contains transaction 0x\w{8}: \d records?\s+\(last /);
    expect(embedded!.output).to.match(/writes to the journal block \d+ with transaction 0x\w{8}: \d record/);
  });

  it('runs the same with and without a story', async () => {
    const [worker] = createSimulationWorkers(1);
    const run = async (seed: number, hasStory: boolean) => {
      const { tasks, virtualMs, counts } = (await worker!.run({ seed, change: {}, hasStory }))!;
      return { tasks, virtualMs, counts };
    };
    for (let seed = 1; seed <= COMPARED; seed += 1)
      expect(await run(seed, true), `seed ${seed}`).to.deep.equal(await run(seed, false));
    worker!.stop();
  });

  it('draws only the kinds of faults that are named', async () => {
    const args = ['--chain', 'network', '--seed', '7', '--seeds', '8', '--workers', '1', '--only'];
    const { code, output } = await simulate([...args, 'reorg,lie']);
    expect(code, output).to.equal(0);
    const [, faults = ''] = /^faults\n((?: {2}\S.*\n)+)/m.exec(output) ?? [];
    expect([...faults.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name).sort()).to.deep.equal(['lie', 'reorg']);
    const unknown = await simulate([...args, 'reorg,nope']);
    expect(unknown.output).to.match(/^error: the network chain has no fault called nope; it has .*\breorg\b/m);
    expect(unknown.code).to.equal(1);
  });

  it('refuses positions that the plan does not have', async () => {
    const { code, output } = await simulate(['--seed', '7', '--trace', '--keep', '99']);
    expect(output).to.match(/^error: the plan of seed 7 has no faults at the positions 99; it has (?:[0-9-]+|none)$/m);
    expect(code).to.equal(1);
  });

  it('prints how far it came when it is interrupted', async () => {
    const { code, output } = await simulate(['--seeds', '100000'], (text, child) => {
      if (text.includes('seeds from')) child.kill('SIGINT');
    });
    expect(output).to.match(/^interrupted after \d+ of 100000 seeds$/m);
    expect(output).not.to.contain('0 seeds: 0 clean');
    expect(code).to.equal(130);
  });

  it('fails with a planted defect, and shows its smallest run', async () => {
    const { code, output } = await simulate(['--seed', '1', '--seeds', '50', '--defect', 'removal-not-synced']);
    expect(code).to.equal(1);
    expect(output).to.contain('was shrunk in ');
    expect(output).to.contain('--defect removal-not-synced');
  });
});
