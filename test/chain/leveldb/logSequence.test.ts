// Writes that are missing between two logs, in files that LevelDB wrote.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, link, readFile, truncate } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Level } from 'level';
import { createRandom } from '../../../bench/random.ts';
import { findFileDamage } from '../../../chain/leveldb/fileDamage.ts';
import { readLogRecords } from '../../../chain/leveldb/logFile.ts';
import { inspectIndex } from '../../../host/files/indexFiles.ts';
import { filesIn } from '../../support/damagedFiles.ts';
import { useDirectories } from '../../support/directories.ts';
import { until } from '../../support/until.ts';

const BUFFER_BYTES = 4 * 2 ** 20;
const ROWS = 100;
/** More than fill two buffers. */
const BATCHES_MAX = 200;
const KILLS = 12;
const WRITER = fileURLToPath(new URL('writeWithoutSync.ts', import.meta.url));
const GAPLESS = { isGapless: true };

// The types of `level` lack this method.
type Database = Level<string, Buffer> & { compactRange(start: string, end: string): Promise<void> };

const createDatabase = (directory: string, options = {}): Database =>
  new Level<string, Buffer>(directory, { valueEncoding: 'buffer', ...options }) as Database;

const recordsOf = async (path: string) => readLogRecords(await readFile(path));

describe('the logs of a LevelDB database', () => {
  const makeDirectory = useDirectories();

  // The files that a crash leaves while LevelDB has begun a second log and still compacts the first one: those of the
  // new database, with both logs. The first one is linked, because LevelDB deletes it once it is compacted.
  const makeTwoLogs = async (): Promise<string> => {
    const base = await makeDirectory();
    const [directory, files] = [join(base, 'db'), join(base, 'files')];
    const random = createRandom(21);
    const db = createDatabase(directory, { writeBufferSize: BUFFER_BYTES });
    await db.open();
    try {
      const [log] = await filesIn(directory, '.log');
      await cp(directory, files, { recursive: true, filter: (path) => path !== log });
      await link(log!, join(files, basename(log!)));
      for (let batch = 1; batch <= BATCHES_MAX; batch += 1) {
        const value = Buffer.from(Array.from({ length: 500 }, () => random() * 256));
        const rows = Array.from({ length: ROWS }, (_, at) => ({ key: `row ${batch * ROWS + at}`, value }));
        const cursor = { key: 'cursor', value: Buffer.from(String(batch * ROWS)) };
        await db.batch([...rows, cursor].map((row) => ({ type: 'put', ...row })));
        const newest = (await filesIn(directory, '.log')).at(-1)!;
        if (newest === log) continue;
        await copyFile(newest, join(files, basename(newest)));
        return files;
      }
      throw new Error('LevelDB has begun no second log');
    } finally {
      await db.close();
    }
  };

  const countMissing = async (directory: string): Promise<number> => {
    const db = createDatabase(directory);
    await db.open();
    const cursor = Number((await db.get('cursor'))!.toString());
    const rows = await db.keys({ gte: 'row', lt: 'row~' }).all();
    await db.close();
    return cursor - rows.length;
  };

  it('are damaged where the older one has lost its end and the newer one is there', async () => {
    const directory = await makeTwoLogs();
    const [older, newer] = await filesIn(directory, '.log');
    expect(await findFileDamage(directory, GAPLESS)).to.equal(undefined);
    const { offsets, end } = await recordsOf(older!);
    for (const length of [end - 1, offsets.at(-1)!, offsets.at(-1)! - 1, offsets[1]!, 0]) {
      await truncate(older!, length);
      const damage = await findFileDamage(directory, GAPLESS);
      expect(damage, `${length}`).to.include({ file: basename(newer!), offset: 0 });
      expect(await inspectIndex(directory, () => undefined), `${length}`)
        .to.have.property('damage')
        .that.contains('batches');
      // Without the numbers nothing is wrong with the files.
      expect(await findFileDamage(directory), `${length}`).to.equal(undefined);
    }
    expect(await countMissing(directory)).to.be.above(0);
  });

  it('are undamaged where the newer one is empty, or has lost its end too', async () => {
    const directory = await makeTwoLogs();
    const [older, newer] = await filesIn(directory, '.log');
    const { offsets } = await recordsOf(newer!);
    await truncate(newer!, offsets.at(-1)!);
    expect(await findFileDamage(directory, GAPLESS)).to.equal(undefined);
    await truncate(newer!, 0);
    await truncate(older!, (await recordsOf(older!)).offsets.at(-3)!);
    expect(await findFileDamage(directory, GAPLESS)).to.equal(undefined);
    expect(await countMissing(directory)).to.equal(0);
  });

  // Kills the writer after so many batches; without a number while it has two logs.
  const killAfter = async (writer: ChildProcess, directory: string, batches: number | undefined): Promise<void> => {
    let written = 0;
    writer.stdout!.on('data', (lines: Buffer) => {
      written += lines.toString().split('\n').length - 1;
    });
    await until(
      () => written > (batches ?? 0),
      () => `${written} batches, exit code ${writer.exitCode}`,
    );
    if (batches === undefined)
      await until(async () => {
        writer.kill('SIGSTOP');
        if ((await filesIn(directory, '.log')).length === 2) return true;
        writer.kill('SIGCONT');
        return false;
      });
    const exit = once(writer, 'exit');
    writer.kill('SIGKILL');
    await exit;
  };

  it('have no gap after kills of a process that writes, compactions and openings', async () => {
    const directory = await makeDirectory();
    const random = createRandom(22);
    const counts: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const writer = spawn(process.execPath, [WRITER, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
      await killAfter(writer, directory, kill % 2 === 0 ? undefined : Math.floor(random() * 30));
      expect(await findFileDamage(directory, GAPLESS), `kill ${kill}`).to.equal(undefined);
      counts.push((await filesIn(directory, '.log')).length);
      if (kill % 3 > 0) continue;
      const db = createDatabase(directory);
      await db.open();
      if (kill % 2 === 0) await db.compactRange('', '~');
      await db.close();
      expect(await findFileDamage(directory, GAPLESS), `opening ${kill}`).to.equal(undefined);
    }
    expect(Math.max(...counts)).to.equal(2);
  });
});
