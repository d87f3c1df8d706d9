// Compares the committed contract artifact with the one that `npm test` has compiled.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const SCRIPT = fileURLToPath(new URL('../../scripts/generateContract.ts', import.meta.url));

describe('contracts/artifact/ProvenanceLedger.json', () => {
  it('equals the compiled contract', () => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '--check'], { encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
  });
});
