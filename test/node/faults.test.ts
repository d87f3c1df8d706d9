// A network that loses, delays, cuts and repeats, between the server and a real node. Many more seeds: npm run test:faults.
import { type FaultBench, openFaultBench, runFaults } from '../support/faultRun.ts';

const SEEDS = 200;
const FIRST_SEED = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000_007);

describe('a network with faults between the server and the node', () => {
  let bench: FaultBench;
  before(async () => {
    bench = await openFaultBench();
  });
  after(() => bench.close());

  it(`loses nothing, doubles nothing and leaves the index as a rebuild makes it: seeds ${FIRST_SEED} and ${SEEDS - 1} more`, async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
      await runFaults(bench, seed).catch((cause: unknown) => {
        throw new Error(`seed ${seed}: ${(cause as Error).message}`, { cause });
      });
    }
  });
});
