// Commands that are called side by side in one process.
import { expect } from 'chai';
import { thisProcess } from '../../host/commandProcess.ts';
import { runScript } from '../support/runScript.ts';

describe('commands that one process calls side by side', () => {
  it('have their own settings, outputs and exit codes, and leave those of the process alone', async () => {
    const before = [process.exitCode, process.env.DATA_DIR, process.listenerCount('SIGINT')];
    const [refused, helped, unusable, other] = await Promise.all([
      runScript('token.ts', '/nowhere/one'),
      runScript('token.ts', '/nowhere/two', ['--help']),
      runScript('verify.ts', '/nowhere/three'),
      runScript('backup.ts', '/nowhere/four', ['/nowhere/five']),
    ]);
    expect([refused.code, helped.code, unusable.code, other.code]).to.deep.equal([1, 0, 2, 1]);
    expect([refused.stdout, helped.stderr, unusable.stdout, other.stdout]).to.deep.equal(['', '', '', '']);
    expect(refused.stderr).to.include('/nowhere/one');
    expect(helped.stdout).to.match(/^Usage: token /);
    expect(unusable.stderr).to.include("missing required argument 'source'");
    expect(other.stderr).to.include('/nowhere/four');
    expect([process.exitCode, process.env.DATA_DIR, process.listenerCount('SIGINT')]).to.deep.equal(before);
    expect(thisProcess()).to.equal(process);
  });
});
