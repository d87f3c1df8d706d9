// Starts that a setting prevents, each a process: the setting is named, and no secret was shown.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { useDirectories } from '../support/directories.ts';
import { startScript } from '../support/runScript.ts';

describe('a start that a setting prevents', () => {
  const createDirectory = useDirectories();
  const listener = createServer();
  let taken: string;
  let file: string;
  before(async () => {
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    taken = String((listener.address() as AddressInfo).port);
    file = join(await createDirectory(), 'file');
    await writeFile(file, '');
  });
  after(() => listener.close());

  const cases: readonly [setting: string, toText: () => string, toWords: (text: string) => string][] = [
    ['HOST', () => '192.0.2.1', (text) => `HOST is "${text}"; it must be an address of this machine`],
    ['METRICS_HOST', () => '192.0.2.1', (text) => `METRICS_HOST is "${text}"; it must be an address of this machine`],
    ['PORT', () => taken, () => 'is taken; choose another with PORT'],
    ['METRICS_PORT', () => taken, () => 'is taken; choose another with METRICS_PORT'],
    ['DATA_DIR', () => file, (text) => `DATA_DIR is "${text}"; it can't be used: `],
    ['DATA_DIR', () => '/proc/nope/nope', (text) => `DATA_DIR is "${text}"; it can't be used: `],
  ];
  for (const [at, [name, toText, toWords]] of cases.entries())
    it(`names ${name} (${at + 1} of ${cases.length})`, async () => {
      const settings = { PORT: '0', CHAIN_RPC_PORT: '0', METRICS_PORT: '0', [name]: toText() };
      const { code, stdout, stderr } = await startScript('start.ts', await createDirectory(), [], settings);
      expect(code).to.equal(1);
      expect(stderr).to.include(toWords(toText()));
      expect(stdout).not.to.include('client_secret');
    });
});
