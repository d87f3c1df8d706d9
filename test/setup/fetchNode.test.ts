// Fetching Node, with an npm that packs a small program instead.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { FetchNode } from '../../setup/plan.js';
import { NODE_VERSION } from '../../setup/platforms.js';
import { useDirectories } from '../support/directories.ts';
import { skipWithoutPrograms } from '../support/missing.ts';
import { copyRepository } from './repositoryCopy.ts';

const NAME = 'node-test-x64';
const NPM = `
const [, , command, name, , folder] = process.argv;
if (command === 'ping') return;
if (command !== 'pack') process.exit(1);
require('node:fs').copyFileSync(process.env.TARBALL, folder + '/' + name.replace('@', '-') + '.tgz');
`;

/** A tarball of npm's form with a program as its `bin/node`. */
const packProgram = (directory: string, program: string): { path: string; integrity: string } => {
  const path = join(directory, 'node.tgz');
  mkdirSync(join(directory, 'package', 'bin'), { recursive: true });
  writeFileSync(join(directory, 'package', 'bin', 'node'), program);
  expect(spawnSync('tar', ['-czf', path, '-C', directory, 'package']).status).to.equal(0);
  return { path, integrity: `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}` };
};

describe('fetchNode', () => {
  before(function () {
    skipWithoutPrograms(this, 'tar', 'gzip');
  });
  const createDirectory = useDirectories();

  /** Fetches in its own process, because npm is found by the environment. */
  const fetch = async (program: string, integrity?: string) => {
    const directory = await createDirectory();
    // As where the temporary directory lies in a package of modules.
    writeFileSync(join(directory, 'package.json'), '{"type": "module"}');
    const { root } = await copyRepository(directory);
    writeFileSync(join(directory, 'npm', 'bin', 'npm-cli.js'), NPM);
    const packed = packProgram(directory, program);
    const step: FetchNode = {
      kind: 'fetchNode',
      package: { name: NAME, integrity: integrity ?? packed.integrity, executable: 'bin/node' },
      version: NODE_VERSION,
    };
    const module = pathToFileURL(join(root, 'setup', 'fetchNode.js')).href;
    const code = `import { fetchNode } from '${module}'; await fetchNode(${JSON.stringify(step)}, () => undefined);`;
    const env = { ...process.env, npm_execpath: join(directory, 'npm', 'bin', 'npm-cli.js'), TARBALL: packed.path };
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      env,
      encoding: 'utf8',
    });
    expect(readdirSync(join(root, '.node')).filter((name) => name.startsWith('draft-'))).to.deep.equal([]);
    return { status, stderr, node: join(root, '.node', `${NAME}-${NODE_VERSION}`, 'node') };
  };

  it('installs the executable after it was checked and run', async () => {
    const { status, stderr, node } = await fetch('#!/bin/sh\necho v26\n');
    expect(status, stderr).to.equal(0);
    expect(spawnSync(node, { encoding: 'utf8' }).stdout).to.equal('v26\n');
  });

  it("refuses a package with another integrity than the repository's", async () => {
    const { status, stderr, node } = await fetch('#!/bin/sh\necho v26\n', 'sha512-AAAA');
    expect(status).to.equal(1);
    expect(stderr).to.match(/has the integrity sha512-\S+ setup\/platforms\.js requires sha512-AAAA\. It was not used/);
    expect(existsSync(node)).to.equal(false);
  });

  it('refuses an executable that does not run on the machine', async () => {
    const { status, stderr, node } = await fetch('#!/bin/sh\nexit 3\n');
    expect(status).to.equal(1);
    expect(stderr).to.match(/This machine does not run the Node that npm has for it\. Or install Node 24/);
    expect(existsSync(node)).to.equal(false);
  });
});
