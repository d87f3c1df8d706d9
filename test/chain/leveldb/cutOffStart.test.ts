// First starts that a power failure cut off, and damaged databases with rows, which must not look like them: files that
// LevelDB wrote.
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Level } from 'level';
import { hasDatabaseFiles, isCutOffStart, removeCutOffStart } from '../../../chain/leveldb/cutOffStart.ts';
import { findFileDamage } from '../../../chain/leveldb/fileDamage.ts';
import { openDatabase } from '../../../chain/leveldb/openDatabase.ts';
import { cutOffStarts, writeFiles } from '../../support/cutOffStarts.ts';
import { useDirectories } from '../../support/directories.ts';

const ROWS = 5;

const open = async (directory: string): Promise<Level<string, string>> => {
  const db = new Level<string, string>(directory);
  await db.open();
  return db;
};

const writeRows = async (directory: string): Promise<void> => {
  const db = await open(directory);
  for (let row = 0; row < ROWS; row += 1) await db.put(`key ${row}`, 'value '.repeat(row + 1), { sync: true });
  await db.close();
};

const repair = (directory: string): Promise<void> =>
  (Level as unknown as { repair(location: string): Promise<void> }).repair(directory);

/** The files that make a database, without its lock and its messages. */
const readFiles = async (directory: string): Promise<Record<string, string>> => {
  const names = (await readdir(directory)).filter((name) => /^(?:CURRENT|MANIFEST|\d)/.test(name)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name), 'hex')])),
  );
};

const DAMAGES: Readonly<Record<string, (path: string) => Promise<void>>> = {
  removed: (path) => rm(path, { force: true }),
  empty: (path) => writeFile(path, ''),
  zeros: async (path) => writeFile(path, Buffer.alloc((await readFile(path)).length)),
  cut: async (path) => writeFile(path, (await readFile(path)).subarray(0, 10)),
};

const expectRefused = async (directory: string, what: string): Promise<void> => {
  const before = await readFiles(directory);
  expect(isCutOffStart(directory), what).to.equal(false);
  expect(hasDatabaseFiles(directory), what).to.equal(true);
  await removeCutOffStart(directory);
  expect(await readFiles(directory), what).to.deep.equal(before);
};

describe('a first start that was cut off', () => {
  const makeDirectory = useDirectories();

  for (const [name, files] of Object.entries(cutOffStarts)) {
    it(`is no database, and begins again: ${name}`, async () => {
      const directory = await makeDirectory();
      await writeFiles(directory, files);
      expect(await findFileDamage(directory)).to.equal(undefined);
      expect(hasDatabaseFiles(directory)).to.equal(false);
      const db = await openDatabase(directory, () => new Level<string, string>(directory));
      expect(await db.keys().all()).to.deep.equal([]);
      await db.put('key', 'value', { sync: true });
      await db.close();
      expect(hasDatabaseFiles(directory)).to.equal(true);
      expect(await findFileDamage(directory)).to.equal(undefined);
      const again = await open(directory);
      expect(await again.get('key')).to.equal('value');
      await again.close();
    });
  }

  it('keeps LevelDB itself from opening the directory', async () => {
    for (const [name, files] of Object.entries(cutOffStarts)) {
      const directory = await makeDirectory();
      await writeFiles(directory, files);
      const code = await open(directory).catch((error: Error) => (error.cause as { code: string }).code);
      expect(code, name).to.match(/^LEVEL_(?:CORRUPTION|IO_ERROR)$/);
    }
  });
});

describe('a damaged database with rows', () => {
  const makeDirectory = useDirectories();

  const makeLog = async (): Promise<string> => {
    const directory = await makeDirectory();
    await writeRows(directory);
    return directory;
  };
  const makeTables = async (): Promise<string> => {
    const directory = await makeLog();
    await writeRows(directory);
    return directory;
  };
  // Each start left a log without a record, and the table is the only file with rows.
  const makeTableAlone = async (): Promise<string> => {
    const directory = await makeLog();
    await (await open(directory)).close();
    return directory;
  };

  for (const [name, make] of Object.entries({
    'rows in its first log': makeLog,
    'rows in a log and in tables': makeTables,
    'rows in a table': makeTableAlone,
  })) {
    it(`is never taken for a first start, whatever two of its files have lost: ${name}`, async () => {
      const intact = await make();
      expect(await findFileDamage(intact)).to.equal(undefined);
      const losses = Object.keys(await readFiles(intact)).flatMap((file) =>
        Object.entries(DAMAGES).map(([what, damage]) => ({ file, what: `${file} ${what}`, damage })),
      );
      for (const one of losses) {
        for (const other of losses.filter(({ file }) => file >= one.file)) {
          const directory = await makeDirectory();
          await cp(intact, directory, { recursive: true });
          await one.damage(join(directory, one.file));
          if (other.file !== one.file) await other.damage(join(directory, other.file));
          await expectRefused(directory, `${one.what}, ${other.what}`);
        }
      }
    });
  }

  it('is none while its log has a byte, although CURRENT names the first MANIFEST', async () => {
    for (const manifest of [undefined, '', '\0'.repeat(41)]) {
      const directory = await makeLog();
      await writeFile(join(directory, 'CURRENT'), 'MANIFEST-000001\n');
      if (manifest !== undefined) await writeFile(join(directory, 'MANIFEST-000001'), manifest);
      await expectRefused(directory, `${manifest?.length}`);
      expect(await findFileDamage(directory)).to.include({ file: 'MANIFEST-000001' });
    }
  });

  it('is none after a repair by LevelDB, which lets CURRENT name the first MANIFEST', async () => {
    const repaired = await makeLog();
    await repair(repaired);
    expect(await readFile(join(repaired, 'CURRENT'), 'utf8')).to.equal('MANIFEST-000001\n');
    for (const name of Object.keys(await readFiles(repaired))) {
      for (const [what, damage] of Object.entries(DAMAGES)) {
        const directory = await makeDirectory();
        await cp(repaired, directory, { recursive: true });
        await damage(join(directory, name));
        await expectRefused(directory, `${name} ${what}`);
      }
    }
  });
});
