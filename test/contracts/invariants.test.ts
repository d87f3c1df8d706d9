// forge's invariant tests of the contract (test/invariants), as one test. It is skipped where npm has no forge for the
// platform.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { FORGE, skipWithoutProgram } from '../support/externalNode.ts';
import { runs } from '../support/propertyRuns.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Each is a history of 64 calls.
const { numRuns: HISTORIES } = runs(16);
const { numRuns: BATCHES } = runs(100);

describe('invariants', () => {
  it('hold after each of thousands of random calls', function () {
    skipWithoutProgram(this, FORGE);
    // forge compiles the contract where it has no cache, and makes thousands of calls.
    this.timeout(600_000);
    const env = {
      ...process.env,
      FOUNDRY_INVARIANT_RUNS: String(HISTORIES),
      FOUNDRY_FUZZ_RUNS: String(BATCHES),
    };
    const { status, stdout, stderr } = spawnSync(FORGE, ['test', '--root', root], { cwd: root, env, encoding: 'utf8' });
    expect(status, `${stdout}${stderr}`).to.equal(0);
    expect(Number(/calls: (\d+)/.exec(stdout)?.[1])).to.equal(64 * HISTORIES);
  });
});
