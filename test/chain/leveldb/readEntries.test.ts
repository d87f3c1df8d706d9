// Reading a database's files without opening it returns the same entries as LevelDB, and changes nothing.
import { expect } from 'chai';
import { Level } from 'level';
import { createRandom } from '../../../bench/random.ts';
import { readEntries, readEntry } from '../../../chain/leveldb/readEntries.ts';
import { filesIn, flipBit } from '../../support/damagedFiles.ts';
import { useDirectories } from '../../support/directories.ts';

const ROUNDS = 4;
const WRITES = 600;
const KEYS = 150;

const toKey = (number: number): string => `key ${String(number).padStart(4, '0')}`;

describe('entries of a closed database', () => {
  const makeDirectory = useDirectories();

  // Entries that are replaced and removed, over several tables and a log, in batches and alone.
  const makeDatabase = async (): Promise<{ directory: string; entries: [string, string][] }> => {
    const random = createRandom(31);
    const directory = await makeDirectory();
    let entries: [string, string][] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const db = new Level<string, string>(directory, { writeBufferSize: 64 * 1024 });
      await db.open();
      for (let write = 0; write < WRITES; write += 1) {
        const [key, other] = [toKey(Math.floor(random() * KEYS)), toKey(Math.floor(random() * KEYS))];
        const value = `${write} ${String.fromCharCode(32 + random() * 90).repeat(random() * 2_000)}`;
        if (random() < 0.2) await db.del(key);
        else if (random() < 0.5) await db.put(key, value);
        else
          await db.batch([
            { type: 'put', key, value },
            { type: 'del', key: other },
          ]);
      }
      entries = await db.iterator().all();
      await db.close();
    }
    return { directory, entries };
  };

  const read = async (directory: string, smallest = '', largest = '~'): Promise<[string, string][]> => {
    const range = { smallest: Buffer.from(smallest), largest: Buffer.from(largest) };
    const found = await readEntries(directory, range, (value) => value.toString());
    return found.map(({ key, value }) => [key.toString(), value]);
  };

  it('are those that LevelDB returns, in every range', async () => {
    const { directory, entries } = await makeDatabase();
    expect(await read(directory)).to.deep.equal(entries);
    for (let first = 0; first < KEYS; first += 7) {
      const [from, to] = [toKey(first), toKey(first + 20)];
      expect(await read(directory, from, to)).to.deep.equal(entries.filter(([key]) => key >= from && key <= to));
    }
    for (const [key, value] of entries) {
      expect((await readEntry(directory, Buffer.from(key)))?.toString()).to.equal(value);
    }
    expect(await readEntry(directory, Buffer.from('none'))).to.equal(undefined);
    expect(await readEntry(await makeDirectory(), Buffer.from('none'))).to.equal(undefined);
  });

  it('omit a damaged table', async () => {
    const { directory, entries } = await makeDatabase();
    for (const path of await filesIn(directory, '.ldb')) await flipBit(path, 10);
    const values = new Map(entries);
    const ofLog = await read(directory);
    expect(ofLog.length).to.be.within(1, entries.length - 1);
    for (const [key, value] of ofLog) expect(value).to.equal(values.get(key));
  });
});
