// A simulated database after power failures: the real LevelDB finds the same rows in its files, synced data is there,
// and unsynced data isn't always.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { findFileDamage } from '../../../chain/leveldb/fileDamage.ts';
import { removeCutOff } from '../../../chain/leveldb/openDatabase.ts';
import { readEntry } from '../../../chain/leveldb/readEntries.ts';
import { useDirectories } from '../../support/directories.ts';
import { createCrashImage } from './crashImages.ts';
import { type Contents, copyToReal, readReal, readSimulated } from './realImages.ts';

const SEEDS = 250;
const CHECKED_SEEDS = 100;
const toPath = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const REPLACE_MODULES = toPath('../edges/replaceModules.ts');
const READ_IMAGES = toPath('readCrashImages.ts');
// LevelDB refuses a database without a MANIFEST, or with one that was cut off: no row of it can be read.
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
      const written = await createCrashImage(seed);
      const [real, opened] = [join(base, String(seed)), join(base, `${seed} as the project opens it`)];
      for (const copy of [real, opened]) copyToReal(written.directory, copy);
      const found = await readReal(real);
      const simulated = await readSimulated(written.directory);
      expect(simulated, `seed ${seed}`).to.deep.equal(found);
      await removeCutOff(opened);
      expect(countLost(await readReal(opened), written.durable), `synced rows lost, seed ${seed}`).to.equal(0);
      if (countLost(simulated, written.unsynced) > 0) seedsWithLosses += 1;
      else if (written.unsynced.size > 0) seedsWithout += 1;
    }
    expect(seedsWithLosses).to.be.above(20);
    expect(seedsWithout).to.be.above(20);
  });

  it('has no damage for the check of files when everything was synced, nor after it was opened', async () => {
    const base = await createDirectory();
    for (let seed = 1; seed <= CHECKED_SEEDS; seed += 1) {
      const { directory, durable, unsynced } = await createCrashImage(seed);
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

  it('is checked and read by the code of the project as the same files on a real disk', async () => {
    const base = await createDirectory();
    // The replaced modules are loaded in a process of its own.
    const script = ['--import', REPLACE_MODULES, READ_IMAGES, String(CHECKED_SEEDS), base];
    const { stdout } = await promisify(execFile)(process.execPath, script);
    const simulated: readonly { damage?: unknown; entry?: string }[] = JSON.parse(stdout);
    expect(simulated).to.have.length(CHECKED_SEEDS);
    for (const [at, read] of simulated.entries()) {
      const directory = join(base, String(at + 1));
      const entry = (await readEntry(directory, Buffer.from('key 0')))?.toString();
      expect(read, `seed ${at + 1}`).to.deep.equal(
        JSON.parse(JSON.stringify({ damage: await findFileDamage(directory), entry })),
      );
    }
    expect(simulated.filter(({ damage }) => damage !== undefined)).to.not.have.length(0);
    expect(simulated.filter(({ entry }) => entry !== undefined)).to.not.have.length(0);
  });
});
