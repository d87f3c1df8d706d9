// A network that loses, delays, truncates and repeats messages between the server and a real node.
// A few seeds with a real node and real connections: test/simulation/ has the many, and `npm run test:faults` runs as
// many of these as one likes.
import { inspect } from 'node:util';
import { expect } from 'chai';
import { PROXY_FAULTS } from '../support/faultProxy.ts';
import { runSeeds } from '../support/faultRun.ts';

const SEEDS = 12;
const FIRST_SEED = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000_007);

describe('a network with faults between the server and the node', function () {
  // All seeds run in one test, each on a node of its own, and repeat what timed out.
  this.timeout(300_000);

  it(`loses and duplicates no record, and the index equals a rebuilt one: ${SEEDS} seeds from ${FIRST_SEED}`, async () => {
    const { failures, totals } = await runSeeds(FIRST_SEED, SEEDS);
    expect(failures.map(({ seed, error }) => `${seed}: ${inspect(error)}`)).to.deep.equal([]);
    // Of 36 proxies a third had fewer than 10 faults. So 12 miss a kind by chance with a probability of about 3e-9.
    expect([...totals.keys()]).to.include.members([...PROXY_FAULTS]);
  });
});
