// A simulated database after power failures: the real LevelDB finds the same rows in its files, synced data is there,
// and unsynced data isn't always.
import { join } from 'node:path';
import { expect } from 'chai';
import { findFileDamage } from '../../../chain/leveldb/fileDamage.ts';
import { useDirectories } from '../../support/directories.ts';
import { createStream, type Random } from '../world/random.ts';
import { createWorld } from '../world/world.ts';
import { Disk } from './disk.ts';
import { mountDisk } from './mounts.ts';
import { type Contents, copyToReal, createSimulated, readReal, readSimulated } from './realImages.ts';

const SEEDS = 250;
const CHECKED_SEEDS = 100;
const LARGE_BYTES = 40_000;

interface Written {
  readonly directory: string;
  readonly disk: Disk;
  /** Rows that a synced write made durable. */
  readonly durable: ReadonlyMap<string, string>;
  /** Rows that were written after it. */
  readonly unsynced: ReadonlyMap<string, string>;
}

const toValue = (random: Random, at: number): string =>
  `${at}.`.repeat(random.chance(0.05) ? LARGE_BYTES / 4 : random.integer(1, 200));

// Each key is written once, so that a row is either there or not.
const writeRows = async (random: Random): Promise<Written> => {
  const disk = new Disk();
  const directory = `${mountDisk('crash', disk)}/data`;
  let db = createSimulated(directory);
  await db.open();
  const durable = new Map<string, string>();
  const unsynced = new Map<string, string>();
  const writes = random.integer(0, 40);
  for (let at = 0; at < writes; at += 1) {
    const [key, value] = [`key ${random.integer(0, 9)} ${at}`, toValue(random, at)];
    const sync = random.chance(0.3);
    await db.put(key, value, { sync });
    unsynced.set(key, value);
    if (sync) {
      for (const [written, text] of unsynced) durable.set(written, text);
      unsynced.clear();
    }
    if (!random.chance(0.05)) continue;
    await db.close();
    db = createSimulated(directory);
    await db.open();
    for (const [written, text] of unsynced) durable.set(written, text);
    unsynced.clear();
  }
  return { directory, disk, durable, unsynced };
};

// LevelDB refuses a database without a MANIFEST: no row of it can be read.
const countLost = (contents: Contents, rows: ReadonlyMap<string, string>): number => {
  const found = new Map(typeof contents === 'string' ? [] : contents);
  return [...rows].filter(([key, value]) => found.get(key) !== value).length;
};

describe('a simulated database after a power failure', () => {
  const createDirectory = useDirectories();

  it('has what the real LevelDB finds in its files, all synced rows, and not always the others', async () => {
    const base = await createDirectory();
    let seedsWithLosses = 0;
    let seedsWithout = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      createWorld(seed);
      const random = createStream(seed, 'crash test');
      const written = await writeRows(random);
      written.disk.crash('power failure', random);
      const real = join(base, String(seed));
      copyToReal(written.directory, real);
      const found = await readReal(real);
      const simulated = await readSimulated(written.directory);
      expect(simulated, `seed ${seed}`).to.deep.equal(found);
      expect(countLost(simulated, written.durable), `synced rows lost, seed ${seed}`).to.equal(0);
      if (countLost(simulated, written.unsynced) > 0) seedsWithLosses += 1;
      else if (written.unsynced.size > 0) seedsWithout += 1;
    }
    expect(seedsWithLosses).to.be.above(20);
    expect(seedsWithout).to.be.above(20);
  });

  it('has no damage for the check of files when everything was synced, nor after it was opened', async () => {
    const base = await createDirectory();
    for (let seed = 1; seed <= CHECKED_SEEDS; seed += 1) {
      createWorld(seed);
      const random = createStream(seed, 'crash test');
      const { directory, disk, durable, unsynced } = await writeRows(random);
      disk.crash('power failure', random);
      const before = join(base, `before ${seed}`);
      copyToReal(directory, before);
      const damage = await findFileDamage(before);
      if (durable.size > 0 && unsynced.size === 0) expect(damage, `seed ${seed}`).to.equal(undefined);
      if (typeof (await readSimulated(directory)) === 'string') continue;
      const after = join(base, `after ${seed}`);
      copyToReal(directory, after);
      expect(await findFileDamage(after), `after opening, seed ${seed}`).to.equal(undefined);
    }
  });
});
