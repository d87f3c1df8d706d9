import { existsSync } from 'node:fs';
import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createSecretFile } from '../../../host/files/secretFile.ts';
import { useDirectories } from '../../support/directories.ts';

describe('the secret file', () => {
  const newDirectory = useDirectories();
  let path: string;
  beforeEach(async () => {
    path = join(await newDirectory(), 'secret');
  });

  it('is readable by its owner only from its creation', async () => {
    const file = createSecretFile(path);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    file.write('x=1\n');
    expect(await readFile(path, 'utf8')).to.equal('x=1\n');
  });

  it('is deleted if no secret is written, and kept otherwise', () => {
    createSecretFile(path).discard();
    expect(existsSync(path)).to.equal(false);
    const file = createSecretFile(path);
    file.write('x');
    file.discard();
    expect(existsSync(path)).to.equal(true);
  });

  it('is never an existing file or the target of a link', async () => {
    await writeFile(path, 'kept');
    expect(() => createSecretFile(path)).to.throw('it exists');
    expect(await readFile(path, 'utf8')).to.equal('kept');
    await symlink(join(path, '..', 'elsewhere'), `${path}.link`);
    expect(() => createSecretFile(`${path}.link`)).to.throw('it exists');
    expect(() => createSecretFile(join(path, 'below'))).to.throw("the secret can't be written to");
  });
});
