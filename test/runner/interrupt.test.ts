// Ctrl-C leaves nothing behind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useDirectories } from '../support/directories.ts';
import { isAlive } from '../support/isAlive.ts';
import { until } from '../support/until.ts';

const RUN_FILES = new URL('runFiles.ts', import.meta.url).href;

const programOf = (files: readonly string[]): string =>
  `const { runFiles } = await import(${JSON.stringify(RUN_FILES)});
   const { isInterrupted } = await runFiles({ files: ${JSON.stringify(files)}, jobs: 1, runsFactor: 1 });
   process.exit(isInterrupted ? 130 : 0);`;

describe('a run of tests', () => {
  const newDirectory = useDirectories();

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`leaves no process and no file after ${signal}, and shows the results until then`, async () => {
      const directory = await newDirectory();
      const [temporary, processes] = [join(directory, 'tmp'), join(directory, 'processes')];
      await mkdir(temporary);
      const files = ['test/runner/fixtures/passes.ts', 'test/runner/fixtures/waits.ts'];
      const child = spawn(process.execPath, ['--input-type=module', '-e', programOf(files)], {
        env: { ...process.env, TMPDIR: temporary, PROCESSES_FILE: processes },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      const closed = once(child, 'close');
      await until(() => existsSync(processes) && readFileSync(processes, 'utf8') !== '');
      const pids = readFileSync(processes, 'utf8').split(' ').map(Number);
      expect(pids.map(isAlive)).to.deep.equal([true, true]);
      child.kill(signal);
      expect(await closed).to.deep.equal([130, null]);
      await until(() => !pids.some(isAlive));
      expect(readdirSync(temporary)).to.deep.equal([]);
      expect(output).to.match(/^2 passed, 0 failed, 0 skipped$/m);
    });
  }
});
