import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { toCommand, toShellWord } from '../../../host/operator/shellCommand.ts';
import { useNpmCommand } from '../../support/npmCommand.ts';

describe('a suggested command', () => {
  const data = resolve('./data');

  describe('of a process that npm started', () => {
    useNpmCommand('start');

    it('uses npm, and names a data directory that is not the default', () => {
      expect(toCommand(data, 'token')).to.equal('npm run --silent token');
      expect(toCommand('/srv/a b', 'demo')).to.equal("DATA_DIR='/srv/a b' npm run demo");
      expect(toCommand('/srv/a', 'token', ['--tenant', "'b'"])).to.equal(
        "DATA_DIR='/srv/a' npm run --silent token -- --tenant 'b'",
      );
    });
  });

  describe('of a process that was started without npm', () => {
    useNpmCommand(undefined);

    it('runs the script with Node', () => {
      expect(toCommand(data, 'token', ['--tenant', "'b'"])).to.equal("node scripts/token.ts --tenant 'b'");
      expect(toCommand('/srv/a', 'demo')).to.equal("env DATA_DIR='/srv/a' node scripts/demo.ts");
    });
  });

  it('has words that a shell reads as they were given', () => {
    const word = 'a b\'c"$HOME`\\';
    expect(spawnSync('sh', ['-c', `printf %s ${toShellWord(word)}`], { encoding: 'utf8' }).stdout).to.equal(word);
  });
});
