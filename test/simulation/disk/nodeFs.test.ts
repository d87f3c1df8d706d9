// The simulated file functions beside Node's: the same calls have the same results.
import * as realFs from 'node:fs';
import * as real from 'node:fs/promises';
import { expect } from 'chai';
import { useDirectories } from '../../support/directories.ts';
import { createWorld } from '../world/world.ts';
import { Disk } from './disk.ts';
import { mountDisk } from './mounts.ts';
import * as simulatedFs from './nodeFs.ts';
import * as simulated from './nodeFsPromises.ts';

type Fs = typeof real;
type Step = (fs: Fs, root: string) => Promise<unknown>;

const useHandle = async (fs: Fs, path: string): Promise<unknown> => {
  await using handle = await fs.open(path, 'wx', 0o600);
  await handle.writeFile('one ');
  await handle.write('two');
  await handle.sync();
  return (await handle.stat()).size;
};

const readHandle = async (fs: Fs, path: string): Promise<unknown> => {
  const handle = await fs.open(path);
  const read = await handle.read(Buffer.alloc(5), 1, 3, 2);
  const text = await handle.readFile('utf8');
  await handle.close();
  return [read.bytesRead, read.buffer.toString(), text];
};

const syncDirectory = async (fs: Fs, path: string): Promise<void> => {
  const handle = await fs.open(path, 'r');
  await handle.sync().finally(() => handle.close());
};

const STEPS: Record<string, Step> = {
  'creates a directory': (fs, root) => fs.mkdir(`${root}/a`, { mode: 0o700 }),
  'refuses a directory that exists': (fs, root) => fs.mkdir(`${root}/a`),
  'refuses a directory in none': (fs, root) => fs.mkdir(`${root}/missing/b`),
  'creates directories': (fs, root) => fs.mkdir(`${root}/a/b/c`, { recursive: true }),
  'creates no directory twice': (fs, root) => fs.mkdir(`${root}/a/b/c`, { recursive: true }),
  'writes with a handle': (fs, root) => useHandle(fs, `${root}/a/file`),
  'refuses a file that exists': (fs, root) => useHandle(fs, `${root}/a/file`),
  'reads with a handle': (fs, root) => readHandle(fs, `${root}/a/file`),
  'syncs a directory': (fs, root) => syncDirectory(fs, `${root}/a`),
  'refuses a directory below a file': (fs, root) => fs.mkdir(`${root}/a/file/b`),
  'reads bytes': (fs, root) => fs.readFile(`${root}/a/file`),
  'reads text': (fs, root) => fs.readFile(`${root}/a/file`, 'utf8'),
  'refuses a missing file': (fs, root) => fs.readFile(`${root}/a/missing`),
  'refuses to read a directory': (fs, root) => fs.readFile(`${root}/a`),
  'links a file': (fs, root) => fs.link(`${root}/a/file`, `${root}/a/linked`),
  'refuses to link over a file': (fs, root) => fs.link(`${root}/a/file`, `${root}/a/linked`),
  'removes a name': (fs, root) => fs.unlink(`${root}/a/file`),
  'refuses to remove a missing name': (fs, root) => fs.unlink(`${root}/a/file`),
  'renames a file': (fs, root) => fs.rename(`${root}/a/linked`, `${root}/a/renamed`),
  'refuses to rename a missing file': (fs, root) => fs.rename(`${root}/a/linked`, `${root}/a/b`),
  'replaces a file': async (fs, root) => {
    await fs.writeFile(`${root}/a/new`, 'new', { mode: 0o600 });
    await fs.rename(`${root}/a/new`, `${root}/a/renamed`);
    return fs.readFile(`${root}/a/renamed`, 'utf8');
  },
  'overwrites a file': async (fs, root) => {
    await fs.writeFile(`${root}/a/renamed`, 'x');
    return fs.readFile(`${root}/a/renamed`, 'utf8');
  },
  'lists a directory': (fs, root) => fs.readdir(`${root}/a`),
  'refuses to list a file': (fs, root) => fs.readdir(`${root}/a/renamed`),
  'refuses to list a missing directory': (fs, root) => fs.readdir(`${root}/missing`),
  'sets modes': (fs, root) => fs.chmod(`${root}/a/renamed`, 0o640),
  'states a file': async (fs, root) => {
    const { mode, size, nlink, ...stats } = await fs.stat(`${root}/a/renamed`);
    return [mode, size, nlink, Object.keys(stats).length > 0];
  },
  'states a directory': async (fs, root) => (await fs.stat(`${root}/a`)).isDirectory(),
  'refuses to state what is missing': (fs, root) => fs.stat(`${root}/missing`),
  'accesses what is there': (fs, root) => fs.access(`${root}/a`),
  'refuses to access what is missing': (fs, root) => fs.access(`${root}/missing`),
  'refuses to remove a directory as a file': (fs, root) => fs.rm(`${root}/a`).catch((error) => error.code),
  'refuses to remove what is missing': (fs, root) => fs.rm(`${root}/missing`).catch((error) => error.code),
  'removes what is missing if it is forced': (fs, root) => fs.rm(`${root}/missing`, { force: true }),
  'refuses to remove a directory with files': (fs, root) => fs.rmdir(`${root}/a`),
  'removes a tree': (fs, root) => fs.rm(`${root}/a`, { recursive: true }),
  'lists what is left': (fs, root) => fs.readdir(root),
};

const resultOf = async (step: Step, fs: Fs, root: string): Promise<unknown> => {
  try {
    const result = await step(fs, root);
    return typeof result === 'string' ? result.replace(root, '') : result;
  } catch (error) {
    const { code, errno, syscall, message } = error as NodeJS.ErrnoException;
    return { code, errno, syscall, message: message.replaceAll(root, '') };
  }
};

describe('the simulated node:fs', () => {
  const createDirectory = useDirectories();

  it('has the results and errors of Node', async () => {
    createWorld(1);
    const root = await createDirectory();
    const simulatedRoot = mountDisk('fs', new Disk());
    for (const [name, step] of Object.entries(STEPS)) {
      const expected = await resultOf(step, real, root);
      const result = await resultOf(step, simulated as unknown as Fs, simulatedRoot);
      expect(result, name).to.deep.equal(expected);
    }
  });

  it('reads real files, and simulated ones without waiting', async () => {
    const root = mountDisk('fs', new Disk());
    const source = new URL(import.meta.url);
    expect(await simulated.readFile(source, 'utf8')).to.equal(await real.readFile(source, 'utf8'));
    expect(simulatedFs.readFileSync(source, 'utf8')).to.equal(realFs.readFileSync(source, 'utf8'));
    await simulated.mkdir(`${root}/a`);
    await simulated.writeFile(`${root}/a/file`, 'text');
    expect(simulatedFs.existsSync(`${root}/a/file`)).to.equal(true);
    expect(simulatedFs.readFileSync(`${root}/a/file`, 'utf8')).to.equal('text');
    expect(simulatedFs.readdirSync(`${root}/a`)).to.deep.equal(['file']);
    simulatedFs.rmSync(`${root}/a`, { recursive: true });
    expect(simulatedFs.existsSync(`${root}/a`)).to.equal(false);
    expect(await simulated.statfs(root)).to.include({ bsize: 4_096 });
  });
});
