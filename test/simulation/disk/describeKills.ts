// Tests of a program that is killed at each step, by a script that prints what it found.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { KillRun } from './killRuns.ts';

const toPath = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const REPLACE_MODULES = toPath('../edges/replaceModules.ts');

/** Registers the tests of a script of this folder that calls `printKillRuns`, and has more steps than `pointsMin`. */
export const describeKills = (title: string, script: string, pointsMin: number): void => {
  describe(title, () => {
    for (const [kind, fileSystem] of [
      ['SIGKILL', 'journaled'],
      ['power failure', 'journaled'],
      ['power failure', 'posix'],
    ] as const) {
      it(`after each step that a ${kind} interrupts: ${fileSystem}`, async () => {
        // The replaced modules are loaded in a process of its own.
        const args = ['--import', REPLACE_MODULES, toPath(script), kind, fileSystem];
        const { stdout } = await promisify(execFile)(process.execPath, args);
        const runs: readonly KillRun[] = JSON.parse(stdout);
        expect(runs.filter(({ problem }) => problem !== undefined)).to.deep.equal([]);
        expect(runs.filter(({ isKilled }) => isKilled)).to.have.length.above(pointsMin);
      });
    }
  });
};
