// A few new seeds of the simulation, which simulation.long.test.ts has hundreds of.
import { expect } from 'chai';
import { simulate } from './command/runSimulate.ts';

const SEEDS = 30;

describe('a short simulation', function () {
  // Some 5 s of one core, and many times that beside other work.
  this.timeout(180_000);
  it(`is clean with ${SEEDS} new seeds`, async () => {
    const { code, output } = await simulate(['--seeds', String(SEEDS)]);
    expect(code, output).to.equal(0);
    expect(output).to.contain(`${SEEDS} seeds: ${SEEDS} clean, 0 failed`);
  });
});
