// A witness after kills and power failures, one at each step: the next start knows every checkpoint that it signed.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const toPath = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const REPLACE_MODULES = toPath('../edges/replaceModules.ts');
const RUN = toPath('runWitnessKills.ts');
const POINTS_MIN = 40;

interface Run {
  readonly point: number;
  readonly isKilled: boolean;
  readonly problem?: string;
}

describe('a witness contradicts nothing that it signed', () => {
  for (const [kind, fileSystem] of [
    ['SIGKILL', 'journaled'],
    ['power failure', 'journaled'],
    ['power failure', 'posix'],
  ] as const) {
    it(`after each step that a ${kind} interrupts: ${fileSystem}`, async () => {
      // The replaced modules are loaded in a process of its own.
      const script = ['--import', REPLACE_MODULES, RUN, kind, fileSystem];
      const { stdout } = await promisify(execFile)(process.execPath, script);
      const runs: readonly Run[] = JSON.parse(stdout);
      expect(runs.filter(({ problem }) => problem !== undefined)).to.deep.equal([]);
      expect(runs.filter(({ isKilled }) => isKilled)).to.have.length.above(POINTS_MIN);
    });
  }
});
