// forge's invariant tests of the contract (test/invariants), as one test. It is skipped where npm has no forge for the
// platform.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { FORGE, skipWithoutProgram } from '../support/externalNode.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const CALLS_MIN = 2_400;

describe('invariants', () => {
  it('hold after each of thousands of random calls', function () {
    skipWithoutProgram(this, FORGE);
    this.timeout(600_000);
    const { status, stdout, stderr } = spawnSync(FORGE, ['test', '--root', root], { cwd: root, encoding: 'utf8' });
    expect(status, `${stdout}${stderr}`).to.equal(0);
    expect(Number(/calls: (\d+)/.exec(stdout)?.[1])).to.be.at.least(CALLS_MIN);
  });
});
