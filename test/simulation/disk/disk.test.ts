// Full and failing disks, and what a power failure does to files and names.
import { expect } from 'chai';
import { createStream } from '../world/random.ts';
import { createWorld } from '../world/world.ts';
import { Disk, NO_FAILURES } from './disk.ts';
import type { FileNode } from './inodes.ts';
import { mountDisk } from './mounts.ts';
import { createSimulated, readSimulated } from './realImages.ts';

const ROOT = '/simulated/disk';
const SEEDS = 300;

const failureOf = async (task: () => Promise<unknown>): Promise<Error & { code?: string }> => {
  try {
    await task();
  } catch (error) {
    return error as Error & { code?: string };
  }
  throw new Error('it was not refused');
};

describe('a simulated disk', () => {
  it('keeps synced bytes and names in a power failure, and loses others in some', () => {
    let lostBytes = 0;
    let lostNames = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const disk = new Disk();
      disk.isJournaled = false;
      disk.makeDirectories(`${ROOT}/a/b`);
      const file = disk.open(`${ROOT}/a/b/kept`, 'wx') as FileNode;
      disk.append(file, Buffer.alloc(5_000, 1));
      disk.sync(file);
      disk.sync(disk.require(`${ROOT}/a/b`));
      disk.append(file, Buffer.alloc(9_000, 2));
      disk.open(`${ROOT}/a/b/other`, 'w');
      disk.crash('power failure', createStream(seed, 'disk test'));
      const bytes = disk.readFile(`${ROOT}/a/b/kept`);
      expect(bytes.subarray(0, 5_000).equals(Buffer.alloc(5_000, 1)), `seed ${seed}`).to.equal(true);
      if (!bytes.subarray(5_000).equals(Buffer.alloc(9_000, 2))) lostBytes += 1;
      if (disk.find(`${ROOT}/a/b/other`) === undefined) lostNames += 1;
    }
    expect(lostBytes).to.be.within(100, SEEDS - 20);
    expect(lostNames).to.be.within(50, SEEDS - 50);
  });

  it('may lose a name whose file alone was synced, unless it has a journal', () => {
    for (const isJournaled of [false, true]) {
      let lost = 0;
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const disk = new Disk();
        disk.isJournaled = isJournaled;
        disk.sync(disk.open(`${ROOT}/file`, 'w'));
        disk.crash('power failure', createStream(seed, 'disk test'));
        if (disk.find(`${ROOT}/file`) === undefined) lost += 1;
      }
      if (isJournaled) expect(lost).to.equal(0);
      else expect(lost).to.be.above(50);
    }
  });

  it('may lose bytes whose sync failed, although a later sync works', () => {
    let lost = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const disk = new Disk();
      const file = disk.open(`${ROOT}/file`, 'w') as FileNode;
      disk.append(file, Buffer.alloc(100, 1));
      disk.failures.syncs = true;
      expect(() => disk.sync(file)).to.throw('EIO: i/o error, fsync');
      disk.failures.syncs = false;
      disk.sync(file);
      disk.crash('power failure', createStream(seed, 'disk test'));
      if (!disk.readFile(`${ROOT}/file`).equals(Buffer.alloc(100, 1))) lost += 1;
    }
    expect(lost).to.be.above(50);
  });

  it('fails so many writes in one directory, and none in others', () => {
    const disk = new Disk();
    disk.makeDirectory(`${ROOT}/failing`);
    const failing = disk.open(`${ROOT}/failing/file`, 'w') as FileNode;
    const other = disk.open(`${ROOT}/file`, 'w') as FileNode;
    createWorld(1);
    Object.assign(disk.failures, { writes: 1, writesMax: 1, syncs: true, directory: `${ROOT}/failing` });
    disk.append(other, Buffer.from('text'));
    disk.sync(other);
    expect(() => disk.append(failing, Buffer.from('text'))).to.throw('EIO: i/o error, write');
    disk.append(failing, Buffer.from('text'));
    expect(() => disk.sync(failing)).to.throw('EIO: i/o error, fsync');
    Object.assign(disk.failures, NO_FAILURES);
    disk.sync(failing);
  });

  it('keeps everything when a process is killed', () => {
    const disk = new Disk();
    disk.append(disk.open(`${ROOT}/file`, 'w') as FileNode, Buffer.from('text'));
    disk.crash('SIGKILL', createStream(1, 'disk test'));
    expect(disk.readFile(`${ROOT}/file`).toString()).to.equal('text');
  });

  it('takes as many bytes as it has space for, and has the space again when a file is removed', () => {
    const disk = new Disk();
    disk.setFreeBytes(8_192);
    const file = disk.open(`${ROOT}/file`, 'w') as FileNode;
    expect(() => disk.append(file, Buffer.alloc(9_000))).to.throw('ENOSPC: no space left on device, write');
    expect(file.length).to.equal(8_192);
    disk.close(file);
    disk.unlink(`${ROOT}/file`);
    expect(disk.freeBytes).to.equal(8_192);
  });

  it('shares nothing with a clone that either changes', () => {
    const disk = new Disk();
    const file = disk.open(`${ROOT}/file`, 'w') as FileNode;
    disk.append(file, Buffer.from('both'));
    const clone = disk.clone();
    disk.append(file, Buffer.from(' first'));
    clone.append(clone.open(`${ROOT}/file`, 'a') as FileNode, Buffer.from(' second'));
    expect(disk.readFile(`${ROOT}/file`).toString()).to.equal('both first');
    expect(clone.readFile(`${ROOT}/file`).toString()).to.equal('both second');
    disk.unlink(`${ROOT}/file`);
    expect(clone.readDirectory(ROOT)).to.deep.equal(['file']);
  });
});

describe('a simulated database on a disk that fails', () => {
  const open = async () => {
    createWorld(1);
    const disk = new Disk();
    const db = createSimulated(`${mountDisk('disk', disk)}/data`);
    await db.open();
    await db.put('first', '1', { sync: true });
    return { disk, db };
  };

  it('reports a full disk as LevelDB does, and loses later rows behind half a record', async () => {
    const { disk, db } = await open();
    disk.setFreeBytes(4_096);
    const error = await failureOf(() => db.put('large', 'x'.repeat(20_000), { sync: true }));
    expect(error.code).to.equal('LEVEL_IO_ERROR');
    expect(error.message).to.match(/^IO error: \/simulated\/disk\/data\/000003\.log: No space left on device$/);
    expect(await db.get('large')).to.equal(undefined);
    disk.setFreeBytes(2 ** 20);
    await db.put('later', '2', { sync: true });
    expect(await db.get('later')).to.equal('2');
    await db.close();
    expect(await readSimulated('/simulated/disk/data')).to.deep.equal([['first', '1']]);
  });

  it('refuses all writes after a sync that failed, until it is opened again', async () => {
    const { disk, db } = await open();
    disk.failures.syncs = true;
    const error = await failureOf(() => db.put('second', '2', { sync: true }));
    expect(error.message).to.contain('Input/output error');
    disk.failures.syncs = false;
    expect(await failureOf(() => db.put('third', '3'))).to.equal(error);
    await db.close();
    await db.open();
    await db.put('third', '3');
    await db.close();
  });

  it('opens after it could not for lack of space', async () => {
    const { disk, db } = await open();
    await db.close();
    disk.setFreeBytes(0);
    const error = await failureOf(() => db.open());
    expect((error.cause as { code?: string }).code).to.equal('LEVEL_IO_ERROR');
    disk.setFreeBytes(2 ** 20);
    expect(await readSimulated('/simulated/disk/data')).to.deep.equal([['first', '1']]);
  });
});
