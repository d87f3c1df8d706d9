// The simulation of the write path: new seeds each time, the seeds that once found a defect, and determinism.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { regressions } from './command/regressions.ts';
import { createSimulationWorkers } from './command/simulationWorkers.ts';
import type { Note } from './world/world.ts';

const SEEDS = 300;
const COMMAND = fileURLToPath(new URL('command/simulate.ts', import.meta.url));
const OUTPUT_BYTES_MAX = 64 * 2 ** 20;

const simulate = (...args: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], { maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: `${stdout}${stderr}` }),
    );
  });

// Seeds of the test of determinism, on two processes in opposite orders.
const COMPARED = 20;

const tell = async (seeds: readonly number[]): Promise<Map<number, readonly Note[]>> => {
  const [worker] = createSimulationWorkers(1);
  const stories = new Map<number, readonly Note[]>();
  for (const seed of seeds) stories.set(seed, (await worker!.run({ seed, change: {}, hasStory: true }))!.story);
  worker!.stop();
  return stories;
};

describe('the simulation', () => {
  it(`is clean with ${SEEDS} new seeds`, async () => {
    const { code, output } = await simulate('--seeds', String(SEEDS));
    console.log(output);
    expect(code, output).to.equal(0);
    expect(output).to.contain(`${SEEDS} seeds: ${SEEDS} clean, 0 failed`);
  });

  it('is clean with the seeds that once found a defect', async () => {
    const { code, output } = await simulate('--regressions');
    expect(code, output).to.equal(0);
    expect(output.match(/^seed \d+: clean\./gm) ?? []).to.have.length(regressions.length);
  });

  it('gives each seed the same story in every process, whatever ran before', async () => {
    const first = Date.now() % 1_000_000_007;
    const seeds = Array.from({ length: COMPARED }, (_, at) => first + at);
    const [stories, others] = await Promise.all([tell(seeds), tell(seeds.toReversed())]);
    for (const [seed, story] of stories) expect(others.get(seed), `seed ${seed}`).to.deep.equal(story);
    expect([...stories.values()].flat().length).to.be.greaterThan(10 * COMPARED);
  });

  it('prints the story of a seed and how to run it again', async () => {
    const { output } = await simulate('--seed', '7', '--trace', '--keep', 'none');
    expect(output).to.match(/^Seed 7: the (?:embedded|network) chain, \d+ requests?, 0 faults$/m);
    expect(output).to.match(/^ +\d+\.\d{3} s {2}\S/m);
    expect(output).to.contain('To run it again: npm run simulate -- --seed 7 --trace --keep none');
  });

  it('fails with a planted defect, and shows its smallest run', async () => {
    const { code, output } = await simulate('--seed', '1', '--seeds', '200', '--defect', 'acknowledged-before-write');
    expect(code).to.equal(1);
    expect(output).to.contain('was shrunk in ');
    expect(output).to.contain('--defect acknowledged-before-write');
  });
});
