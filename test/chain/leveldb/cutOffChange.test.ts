// Changes of a database's files that a power failure cut off, in databases that LevelDB wrote.
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Level } from 'level';
import { removeCutOffChange } from '../../../chain/leveldb/cutOffChange.ts';
import { findFileDamage } from '../../../chain/leveldb/fileDamage.ts';
import { openDatabase } from '../../../chain/leveldb/openDatabase.ts';
import { readEntry } from '../../../chain/leveldb/readEntries.ts';
import { createScratchCopy } from '../../../chain/leveldb/scratchCopy.ts';
import { createLogWriter } from '../../simulation/disk/leveldb/logWriter.ts';
import { encodeState } from '../../simulation/disk/leveldb/manifest.ts';
import { useDirectories } from '../../support/directories.ts';

const ROWS: readonly [string, string][] = [
  ['a', 'one'],
  ['b', 'two'],
];
const LATER = 99;

const encodeRecord = (record: Uint8Array): Buffer => {
  const parts: Uint8Array[] = [];
  createLogWriter((bytes) => parts.push(bytes))(record);
  return Buffer.concat(parts);
};

// The change after which a later log is the first, because a table has the rows of the log before.
const CHANGE = encodeRecord(
  encodeState(
    {
      logNumber: LATER,
      nextFile: LATER + 2,
      lastSequence: 2,
      tables: [
        { number: LATER + 1, size: 200, smallest: Buffer.from('a'.repeat(9)), largest: Buffer.from('b'.repeat(9)) },
      ],
    },
    false,
  ),
);
const flipLast = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.map((byte, at) => (at === bytes.length - 1 ? byte ^ 1 : byte)));

const CUT_OFF: Readonly<Record<string, Buffer>> = {
  'is damaged': flipLast(CHANGE),
  'is shorter': CHANGE.subarray(0, -3),
  'has lost its table': CHANGE,
};

describe('a change of files that a power failure cut off', () => {
  const createDirectory = useDirectories();

  const createRows = async (): Promise<{ directory: string; manifest: string }> => {
    const directory = await createDirectory();
    const db = new Level<string, string>(directory);
    for (const [key, value] of ROWS) await db.put(key, value, { sync: true });
    await db.close();
    return { directory, manifest: join(directory, (await readFile(join(directory, 'CURRENT'), 'latin1')).trim()) };
  };

  for (const [what, bytes] of Object.entries(CUT_OFF)) {
    it(`is undone when it ${what}: no row is lost`, async () => {
      const { directory, manifest } = await createRows();
      await appendFile(manifest, bytes);
      expect(await findFileDamage(directory)).to.equal(undefined);
      expect((await readEntry(directory, Buffer.from('b')))?.toString()).to.equal('two');
      const db = await openDatabase(directory, () => new Level<string, string>(directory));
      expect(await db.iterator().all()).to.deep.equal(ROWS);
      await db.close();
      expect((await readdir(directory)).filter((name) => name.endsWith('.dbtmp'))).to.deep.equal([]);
    });
  }

  it('is undone in the copy that a repair opens, not in the original', async () => {
    const { directory, manifest } = await createRows();
    await appendFile(manifest, CUT_OFF['is damaged']!);
    const before = await readFile(manifest);
    const copy = join(await createDirectory(), 'copy');
    await createScratchCopy(directory, copy);
    const db = new Level<string, string>(copy);
    expect(await db.iterator().all()).to.deep.equal(ROWS);
    await db.close();
    expect(await readFile(manifest)).to.deep.equal(before);
  });

  it('is damage when the log from before it is missing, too', async () => {
    const { directory, manifest } = await createRows();
    await appendFile(manifest, CHANGE);
    for (const name of await readdir(directory)) if (name.endsWith('.log')) await rm(join(directory, name));
    await writeFile(join(directory, `0000${LATER}.log`), '');
    expect(await findFileDamage(directory)).to.deep.include({ problem: 'a table that it lists is missing' });
    const before = await readFile(manifest);
    await removeCutOffChange(directory);
    expect(await readFile(manifest)).to.deep.equal(before);
  });

  it('is none when damage is before another change', async () => {
    const { directory, manifest } = await createRows();
    await appendFile(manifest, Buffer.concat([flipLast(CHANGE), CHANGE]));
    const before = await readFile(manifest);
    await removeCutOffChange(directory);
    expect(await readFile(manifest)).to.deep.equal(before);
    expect(await findFileDamage(directory)).to.deep.include({ problem: 'a record has a wrong checksum' });
  });
});
