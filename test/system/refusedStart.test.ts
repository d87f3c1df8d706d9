// A start that is refused because of damage changes no file of any database: each may have the last copy of a record.
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { copyStoppedDatabases } from '../../host/backup/backupDatabases.ts';
import { inspectIndex } from '../../host/files/indexFiles.ts';
import { cutTail, filesIn, flipBit, newestLogOf } from '../support/damagedFiles.ts';
import { type DirectoryCopy, useDirectoryCopies, withNewTenant } from '../support/directoryCopies.ts';
import { rejectionOf } from '../support/refusals.ts';
import { runScript } from '../support/runScript.ts';
import { openTestLedger } from '../support/testLedger.ts';

const EVENTS = 10;
const CUT_BYTES = 5_000;
const DATABASES = ['chain', 'index', 'outbox', 'recentBlocks'] as const;

const CASES: readonly { what: string; code: string; damage: (paths: DirectoryCopy) => Promise<unknown> }[] = [
  {
    what: 'a journal that lost its end',
    code: 'CHAIN_CORRUPT',
    damage: async ({ chain }) => cutTail(await newestLogOf(chain), CUT_BYTES),
  },
  {
    what: 'a journal that lost its end, and a copy that LevelDB cannot open',
    code: 'CHAIN_CORRUPT',
    damage: async ({ chain, recentBlocks }) => {
      await cutTail(await newestLogOf(chain), CUT_BYTES);
      await rm((await filesIn(recentBlocks, '.ldb'))[0]!);
    },
  },
  {
    what: 'a damaged journal, and a damaged index',
    code: 'CHAIN_CORRUPT',
    damage: async ({ chain, index }) => {
      await flipBit(await newestLogOf(chain), 500);
      await flipBit(await newestLogOf(index), 500);
    },
  },
  {
    what: 'a damaged outbox',
    code: 'OUTBOX_CORRUPT',
    damage: async ({ outbox }) => rm(join(outbox, 'CURRENT')),
  },
];

describe('a refused start', () => {
  // The second opening leaves a table in each database, in addition to its log.
  const { makeDirectory, copyUndamaged } = useDirectoryCopies(async (path) => {
    for (const name of ['alpha', 'beta'])
      await withNewTenant(path, name, async ({ tenant }) => {
        const asset = await tenant.createAsset();
        for (let event = 0; event < EVENTS; event += 1)
          await tenant.record(asset, `event ${event} ${'x'.repeat(1_000)}`);
      });
  });

  const readFiles = async (paths: DirectoryCopy): Promise<Map<string, string>> => {
    const files = new Map<string, string>();
    for (const name of DATABASES) {
      for (const file of await readdir(paths[name]))
        files.set(`${name}/${file}`, await readFile(join(paths[name], file), 'base64'));
    }
    return files;
  };

  for (const { what, code, damage } of CASES) {
    it(`with ${what} changes no file`, async () => {
      const paths = await copyUndamaged();
      await damage(paths);
      const files = await readFiles(paths);
      for (let start = 0; start < 2; start += 1) {
        expect(await rejectionOf(openTestLedger(paths.dataDir))).to.equal(code);
        expect([...(await readFiles(paths)).keys()]).to.deep.equal([...files.keys()]);
        expect(await readFiles(paths)).to.deep.equal(files);
      }
    });
  }

  it('for damage implies that a backup is refused too', async () => {
    for (const { what, code, damage } of CASES) {
      const paths = await copyUndamaged();
      await damage(paths);
      const files = await readFiles(paths);
      const target = await makeDirectory();
      expect(await rejectionOf(copyStoppedDatabases(paths.dataDir, target)), what).to.equal(code);
      expect(await readFiles(paths), what).to.deep.equal(files);
      expect(await readdir(target), what).to.deep.equal([]);
    }
  });

  it('for an unfinished repair implies that a backup is refused too', async () => {
    for (const unfinished of ['repairing', 'repairedChain'] as const) {
      const paths = await copyUndamaged();
      await writeFile(paths[unfinished], '{"afterBlock":1}');
      const target = join(await makeDirectory(), 'backup');
      const { code, stderr } = await runScript('backup.ts', paths.dataDir, [target]);
      expect([code, existsSync(target)], stderr).to.deep.equal([1, false]);
    }
  });

  it('reads the cursor of a damaged index in place, without a temporary directory', async () => {
    const { index } = await copyUndamaged();
    const whole = await inspectIndex(index, () => undefined);
    expect(whole.damage).to.equal(undefined);
    await flipBit((await filesIn(index, '.ldb'))[0]!, 10);
    const temporary = process.env.TMPDIR;
    process.env.TMPDIR = join(index, 'missing');
    const found = await inspectIndex(index, () => undefined).finally(() => {
      if (temporary === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = temporary;
    });
    expect(found.damage).to.be.a('string');
    expect(found.cursor).to.deep.equal(whole.cursor);
  });
});
