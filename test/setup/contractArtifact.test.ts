// The committed contract artifact against what `npm test` has compiled.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const SCRIPT = fileURLToPath(new URL('../../scripts/contractArtifact.ts', import.meta.url));

describe('contracts/artifact/ProvenanceLedger.json', () => {
  it('is what the contract compiles to', () => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '--check'], { encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
  });
});
