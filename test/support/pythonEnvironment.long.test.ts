// Real environments without packages, so that no package index is needed.
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { skipWithout } from './missing.ts';
import { findPython, openPythonEnvironment, type Python } from './pythonEnvironment.ts';
import { createTemporaryDirectory } from './testLedger.ts';

describe('a Python environment', () => {
  let python: Python;
  let folder: string;
  let requirements: { name: string; files: [string] };
  let remove: () => Promise<void>;
  before(async function () {
    const found = findPython(9);
    if (found === undefined) return skipWithout(this, 'Python 3.9 or newer with venv and pip');
    python = found;
    const directory = await createTemporaryDirectory();
    remove = directory.remove;
    folder = join(directory.path, 'environments');
    requirements = { name: 'tried', files: [join(directory.path, 'requirements.txt')] };
  });
  after(() => remove?.());

  const open = async (content: string): Promise<string> => {
    await writeFile(requirements.files[0], content);
    return openPythonEnvironment(requirements, python, folder);
  };

  it('is created once, and the rest of an interrupted run is deleted', async () => {
    await mkdir(join(folder, 'unfinished-999999999-tried'), { recursive: true });
    const first = await open('# none\n');
    const program = 'import sys; print(sys.prefix != sys.base_prefix)';
    expect(execFileSync(first, ['-c', program], { encoding: 'utf8' })).to.equal('True\n');
    await writeFile(join(first, '..', 'mark'), '');
    expect(await open('# none\n')).to.equal(first);
    expect(await readdir(join(first, '..'))).to.include('mark');
    expect(await readdir(folder)).to.have.length(1);
  });

  it('is not created when the hash of a package differs, and leaves no files', async () => {
    const before = await readdir(folder);
    const refusal = await open('./no-such-package --hash=sha256:00\n').catch((error: Error) => error);
    expect(refusal).to.be.an('error').with.property('message').that.includes("of tried can't be installed");
    expect(await readdir(folder)).to.eql(before);
  });

  it('is not created with a Python that is too old', () => {
    expect(findPython(999)).to.equal(undefined);
  });
});
