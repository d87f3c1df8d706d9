// The list of files without git is the one that git makes.
import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { useDirectories } from './directories.ts';
import { skipWithoutPrograms } from './missing.ts';
import { listRepositoryFiles } from './repositoryFiles.ts';
import { readSource } from './sources.ts';

const FILES = ['.mocharc.json', 'server/app.ts', 'server/data.ts', 'explorer/distance.ts', 'ä b/dist/c.ts'];
const IGNORED = ['data/key', 'node_modules/a/b.js', 'test/node_modules/c.js', 'explorer/dist/d', 'explorer/dist-2/e'];

describe('the files of a repository', () => {
  const createDirectory = useDirectories();
  let root: string;

  const git = (...args: string[]): void => {
    const { status, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
  };

  beforeEach(async () => {
    root = await createDirectory();
    for (const file of [...FILES, ...IGNORED]) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), '');
    }
    writeFileSync(join(root, '.gitignore'), readSource('.gitignore'));
  });

  it('are those that .gitignore does not name, in an archive', () => {
    for (const kind of ['tracked', 'present'] as const)
      expect(listRepositoryFiles(root, kind)).to.have.members([...FILES, '.gitignore']);
  });

  it('are those of the archive alone, in a folder of a repository', function () {
    skipWithoutPrograms(this, 'git');
    git('init', '--quiet');
    git('add', '.gitignore');
    renameSync(join(root, '.gitignore'), join(root, 'server', '.gitignore'));
    expect(listRepositoryFiles(join(root, 'server'), 'tracked')).to.have.members(['app.ts', 'data.ts', '.gitignore']);
  });

  it('are the same where git lists them, and the tracked ones alone if they are asked for', function () {
    skipWithoutPrograms(this, 'git');
    git('init', '--quiet');
    git('add', 'server');
    expect(listRepositoryFiles(root, 'present')).to.have.members([...FILES, '.gitignore']);
    expect(listRepositoryFiles(root, 'tracked')).to.have.members(['server/app.ts', 'server/data.ts']);
  });

  it('are the same in a clone without git', () => {
    mkdirSync(join(root, '.git'));
    const { PATH } = process.env;
    try {
      process.env.PATH = root;
      expect(listRepositoryFiles(root, 'tracked')).to.have.members([...FILES, '.gitignore']);
    } finally {
      process.env.PATH = PATH;
    }
  });
});
