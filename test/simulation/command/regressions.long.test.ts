// Each regression still reaches its defect. A change of the code that draws plans can end that.
import { expect } from 'chai';
import { findDefect } from '../defects/defects.ts';
import { isFind } from './defectRuns.ts';
import { toReplayCommand } from './planChange.ts';
import { type Regression, regressions } from './regressions.ts';
import { createSimulationWorkers } from './simulationWorkers.ts';

const run = async ({ seed, faults, requests }: Regression, defect?: string) => {
  const [worker] = createSimulationWorkers(1, { defect });
  const report = await worker!.run({ seed, change: { faults, requests }, hasStory: false });
  worker!.stop();
  return report!;
};

describe('the regressions', () => {
  it('are some, each about a defect of its own', () => {
    expect(regressions).to.have.length.above(3);
    expect(new Set(regressions.map(({ defect }) => defect)).size).to.equal(regressions.length);
  });

  for (const regression of regressions) {
    const { seed, defect, faults, requests } = regression;
    it(`${seed} fails with ${defect} and is clean without it`, async () => {
      const replay = toReplayCommand({ seed, change: { faults, requests } }, defect);
      const planted = await run(regression, defect);
      expect(isFind(planted, findDefect(defect)), `renew the entry: no check fails with ${replay}`).to.equal(true);
      expect((await run(regression)).violations).to.deep.equal([]);
    });
  }
});
