// The help of every script and of the benchmarks that any developer may start, each in its own process.
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { startScript } from '../support/runScript.ts';

const scripts = (await readdir(fileURLToPath(new URL('../../scripts/', import.meta.url)))).filter((name) =>
  name.endsWith('.ts'),
);

describe('a script', () => {
  for (const script of [...scripts, '../bench/writes.ts', '../bench/gas/gas.ts'])
    it(`prints its help: ${script}`, async () => {
      const { code, stdout } = await startScript(script, '/nowhere', ['--help']);
      expect(code).to.equal(0);
      expect(stdout).to.include('Usage');
    });
});
