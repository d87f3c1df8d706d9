// Checks of LevelDB's files, on files that LevelDB wrote.
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect } from 'chai';
import { Level } from 'level';
import { createRandom } from '../../../bench/random.ts';
import { hasDatabaseFiles } from '../../../chain/leveldb/cutOffStart.ts';
import { findFileDamage, findTableDamage } from '../../../chain/leveldb/fileDamage.ts';
import { checkTable } from '../../../chain/leveldb/tableFile.ts';
import { cutTail, filesIn, flipBit, newestLogOf } from '../../support/damagedFiles.ts';
import { useDirectories } from '../../support/directories.ts';

const FLIPS = 400;

// Half of it can be compressed, half of it can't.
const textOf = (number: number, random: () => number): string =>
  number % 2 === 0
    ? `same text ${number % 7} `.repeat(20)
    : String.fromCharCode(...Array.from({ length: 300 }, () => 32 + random() * 90));

describe('files of a LevelDB database', () => {
  const makeDirectory = useDirectories();

  // Tables, a MANIFEST with more than one change, and a log with records.
  const makeDatabase = async (): Promise<string> => {
    const random = createRandom(11);
    const directory = await makeDirectory();
    for (let part = 0; part < 3; part += 1) {
      const db = new Level<string, string>(directory, { writeBufferSize: 64 * 1024 });
      await db.open();
      for (let number = 0; number < 300; number += 1) await db.put(`key ${part} ${number}`, textOf(number, random));
      for (let number = 0; number < 40; number += 1) await db.put(`late ${part} ${number}`, textOf(number, random));
      await db.close();
    }
    // Too little to fill a write buffer, so that the newest log is one that the next opening reads.
    const db = new Level<string, string>(directory);
    await db.open();
    for (let number = 0; number < 40; number += 1) await db.put(`last ${number}`, textOf(number, random));
    await db.close();
    return directory;
  };

  it('are undamaged when they were not changed, open or not, and where there are none', async () => {
    const directory = await makeDatabase();
    expect(await findFileDamage(directory)).to.equal(undefined);
    const db = new Level<string, string>(directory);
    await db.open();
    expect(await findTableDamage(directory)).to.equal(undefined);
    await db.close();
    expect(await findFileDamage(directory)).to.equal(undefined);
    expect(await findFileDamage(await makeDirectory())).to.equal(undefined);
  });

  it('are checked without blocking the event loop, with progress', async () => {
    const directory = await makeDirectory();
    const db = new Level<string, Buffer>(directory, { valueEncoding: 'buffer' });
    const random = createRandom(14);
    for (let number = 0; number < 400; number += 1) {
      await db.put(`${number}`, Buffer.from(Array.from({ length: 40_000 }, () => random() * 256)));
    }
    await db.close();
    let turns = 0;
    let isOver = false;
    const countTurns = (): void => {
      turns += 1;
      if (!isOver) setImmediate(countTurns);
    };
    const [table] = await filesIn(directory, '.ldb');
    const blocks = [...checkTable(await readFile(table!))];
    expect(blocks.length).to.be.greaterThan(20);
    expect(blocks).to.deep.equal([...blocks].sort((one, other) => one - other));
    const progress: [number, number][] = [];
    setImmediate(countTurns);
    await findTableDamage(directory, { onProgress: (done, total) => progress.push([done, total]) });
    isOver = true;
    const [done, total] = progress.at(-1)!;
    expect(done).to.equal(total);
    expect(total).to.be.greaterThan(10_000_000);
    expect(progress.map(([bytes]) => bytes)).to.deep.equal(progress.map(([bytes]) => bytes).sort((a, b) => a - b));
    expect(turns).to.be.greaterThan(progress.length - 1);
  });

  it('are damaged by any changed bit of a table', async () => {
    const directory = await makeDatabase();
    const random = createRandom(12);
    for (const path of await filesIn(directory, '.ldb')) {
      const { size } = await stat(path);
      for (let flip = 0; flip < FLIPS / 4; flip += 1) {
        // The padding of the footer is not read.
        const at = Math.floor(random() * (size - 48));
        await flipBit(path, at, flip % 8);
        expect(await findFileDamage(directory), `${path} ${at}`).to.include({ file: path.split('/').at(-1) });
        await flipBit(path, at, flip % 8);
      }
    }
    expect(await findFileDamage(directory)).to.equal(undefined);
  });

  it('are damaged by any changed bit of the log before its last record', async () => {
    const directory = await makeDatabase();
    const random = createRandom(13);
    const path = await newestLogOf(directory);
    const { size } = await stat(path);
    for (let flip = 0; flip < FLIPS; flip += 1) {
      const at = Math.floor(random() * (size - 500));
      await flipBit(path, at, flip % 8);
      expect((await findFileDamage(directory))?.file, `${at}`).to.equal(path.split('/').at(-1));
      await flipBit(path, at, flip % 8);
    }
  });

  it('may end with a write that was cut off', async () => {
    const directory = await makeDatabase();
    const path = await newestLogOf(directory);
    for (const bytes of [1, 100, 1_000, 5_000]) {
      await cutTail(path, bytes);
      expect(await findFileDamage(directory)).to.equal(undefined);
    }
  });

  it('are damaged where one is missing, or CURRENT names no MANIFEST', async () => {
    const directory = await makeDatabase();
    const [table] = await filesIn(directory, '.ldb');
    const bytes = await readFile(table!);
    await rm(table!);
    expect((await findFileDamage(directory))?.problem).to.contain('missing');
    await writeFile(table!, bytes.subarray(0, 100));
    expect((await findFileDamage(directory))?.file).to.equal(table!.split('/').at(-1));
    await writeFile(table!, bytes);
    const log = await newestLogOf(directory);
    const records = await readFile(log);
    await rm(log);
    expect(await findFileDamage(directory)).to.include({ file: basename(log), problem: 'the file is missing' });
    await writeFile(log, records);
    await writeFile(`${directory}/CURRENT`, 'MANIFEST-999999\n');
    expect((await findFileDamage(directory))?.file).to.equal('MANIFEST-999999');
    await writeFile(`${directory}/CURRENT`, 'nothing\n');
    expect((await findFileDamage(directory))?.file).to.equal('CURRENT');
    await rm(`${directory}/CURRENT`);
    expect(await findFileDamage(directory)).to.include({ file: 'CURRENT', problem: 'the file is missing' });
  });

  it('count as none where a first opening was cut off before CURRENT', async () => {
    const directory = await makeDirectory();
    await writeFile(`${directory}/MANIFEST-000001`, '');
    expect(await findFileDamage(directory)).to.equal(undefined);
    expect(hasDatabaseFiles(directory)).to.equal(false);
    await writeFile(`${directory}/000003.log`, '');
    expect((await findFileDamage(directory))?.file).to.equal('CURRENT');
    expect(hasDatabaseFiles(directory)).to.equal(true);
  });
});
