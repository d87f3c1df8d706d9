// The project's outbox and journal after power failures: the next start finds no damage and everything that was
// answered, also on a file system that keeps no name of a synced file.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const SEEDS = 300;
const toPath = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const REPLACE_MODULES = toPath('../edges/replaceModules.ts');
const RUN = toPath('runPowerFailures.ts');

interface Run {
  readonly seed: number;
  readonly isKilled: boolean;
  readonly lost: readonly string[];
  readonly refusal?: string;
}

describe('outbox and journal after a power failure', () => {
  for (const fileSystem of ['journaled', 'posix']) {
    it(`open again with everything that was answered, whatever unsynced data was lost: ${fileSystem}`, async () => {
      // The replaced modules are loaded in a process of its own.
      const script = ['--import', REPLACE_MODULES, RUN, String(SEEDS), fileSystem];
      const { stdout } = await promisify(execFile)(process.execPath, script);
      const runs: readonly Run[] = JSON.parse(stdout);
      const failed = runs.filter(({ lost, refusal }) => lost.length > 0 || refusal !== undefined);
      expect(failed).to.deep.equal([]);
      expect(runs.filter(({ isKilled }) => isKilled)).to.have.length.above(SEEDS / 2);
    });
  }
});
