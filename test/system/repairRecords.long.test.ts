// npm run repair when more than the journal is damaged: the records that it restores, and its report on those that it
// can't restore.
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Level } from 'level';
import { encodeBlockKey } from '../../chain/embedded/journal/journalBlock.ts';
import type { RepairReport } from '../../host/repair/repairLedger.ts';
import { toAuthorName } from '../../host/wallets/tenantWallets.ts';
import { cursorKey, eventNumberOf, FIRST_CHECKED_LAYOUT, recordKeyOf, tenantRowKey } from '../../indexer/keys.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { toKey, toUuid } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { cutTail, filesIn, flipBit, newestLogOf } from '../support/damagedFiles.ts';
import type { DirectoryCopy } from '../support/directoryCopies.ts';
import { createFixtureTenant } from '../support/fixtureTenant.ts';
import { repair, useRepairFixture } from '../support/repairFixture.ts';
import { runScript } from '../support/runScript.ts';

const EVENTS = 14;
/** Journal entries of the last nine events and of the tenant that was admitted before the last four. */
const CUT_BYTES = 24_000;
const CHECKSUM_BYTES = 4;

type CompactableDatabase = Level<Buffer, Buffer> & { compactRange(start: Buffer, end: Buffer): Promise<void> };

const withDatabase = async (directory: string, task: (db: CompactableDatabase) => Promise<void>): Promise<void> => {
  const db = new Level(directory, { keyEncoding: 'buffer', valueEncoding: 'buffer' }) as unknown as CompactableDatabase;
  await db.open();
  await task(db).finally(() => db.close());
};

const damageRow = async (db: CompactableDatabase, key: Buffer): Promise<void> => {
  const stored = (await db.get(key))!;
  stored[stored.length - 10]! ^= 1;
  await db.put(key, stored);
};

const isOf = (event: EventResource, key: Buffer): boolean =>
  recordKeyOf(key) !== undefined && Buffer.from(recordKeyOf(key)!).equals(Buffer.from(toKey(event.identity)));

describe('npm run repair of more than the journal', () => {
  const { events, hashes, tenantIdentity, copyUndamaged, readAll } = useRepairFixture(
    EVENTS,
    async (event, ledger, server) => event === EVENTS - 4 && createFixtureTenant(ledger, server, 'beta'),
  );

  // Returns a directory in which only the index has the last blocks.
  const loseBlocks = async (): Promise<DirectoryCopy> => {
    const paths = await copyUndamaged();
    await cutTail(await newestLogOf(paths.chain), CUT_BYTES);
    await rm(paths.recentBlocks, { recursive: true });
    return paths;
  };
  const toText = ({ identity, event_attributes }: EventResource) => `${identity} ${JSON.stringify(event_attributes)}`;
  const readFound = async ({ dataDir }: DirectoryCopy): Promise<{ found: string[]; blocks: (Hex | undefined)[] }> => {
    const { found, blocks } = await readAll(dataDir);
    return { found: found.map(toText), blocks };
  };
  const expectAll = async (paths: DirectoryCopy): Promise<void> => {
    expect((await readFound(paths)).found).to.deep.equal(events.map(toText));
  };
  const expectIdentical = async (
    paths: DirectoryCopy,
    { lost, unexplained, appended }: RepairReport,
  ): Promise<void> => {
    expect([lost, unexplained, appended]).to.deep.equal([[], [], []]);
    const { found, blocks } = await readFound(paths);
    expect(found).to.deep.equal(events.map(toText));
    expect(blocks).to.deep.equal(hashes);
  };
  const countLost = ({ lost, lostNames, unexplained }: RepairReport): number =>
    lost.length + lostNames.length + unexplained.length;
  const expectUnchanged = ({ isChanged }: RepairReport): unknown => expect(isChanged).to.equal(false);

  it('needs no intact index when the copy has every block', async () => {
    const paths = await copyUndamaged();
    await cutTail(await newestLogOf(paths.chain), CUT_BYTES);
    await withDatabase(paths.index, async (db) => {
      for await (const key of db.keys()) if (eventNumberOf(key) !== undefined) await damageRow(db, key);
    });
    const report = await repair(paths.dataDir);
    await rm(paths.index, { recursive: true });
    await expectIdentical(paths, report);
  });

  const INDEX_DAMAGES: Readonly<Record<string, (db: CompactableDatabase) => Promise<void>>> = {
    'the row of an event is damaged': async (db) => {
      for await (const key of db.keys()) if (eventNumberOf(key) === EVENTS) await damageRow(db, key);
    },
    'the row of an event is missing': async (db) => {
      for await (const key of db.keys()) if (eventNumberOf(key) === EVENTS - 2) await db.del(key);
      await damageRow(db, cursorKey());
    },
    'all rows of an event and the cursor are missing': async (db) => {
      for await (const key of db.keys()) {
        if (eventNumberOf(key) === EVENTS || isOf(events.at(-1)!, key)) await db.del(key);
      }
      await db.del(cursorKey());
    },
  };
  for (const [name, damage] of Object.entries(INDEX_DAMAGES)) {
    it(`reports the lost records when only the index has the last blocks, and ${name}`, async () => {
      const paths = await loseBlocks();
      await withDatabase(paths.index, damage);
      const report = await repair(paths.dataDir);
      expect(countLost(report)).to.be.greaterThan(0);
      expect(report.indexDamage).to.be.a('string');
      expectUnchanged(report);
      expect((await runScript('repair.ts', paths.dataDir)).code).to.equal(3);
      const accepted = await repair(paths.dataDir, { acceptsLoss: true });
      expect(accepted.isChanged).to.equal(true);
      expect((await readFound(paths)).found).to.have.length(EVENTS - 1);
    });
  }

  it('reports every lost record when a file of the index is damaged at any position', async () => {
    for (const at of [-3_000, -12_000, -30_000]) {
      const paths = await loseBlocks();
      await flipBit(await newestLogOf(paths.index), at);
      const report = await repair(paths.dataDir, { acceptsLoss: true });
      const { found } = await readFound(paths);
      if (countLost(report) === 0) expect(found, String(at)).to.deep.equal(events.map(toText));
      expect(countLost(report) + found.length, String(at)).to.be.at.least(EVENTS);
    }
  });

  // The layout of version 0.1: rows without checksums, and a cursor of another form.
  const makeOldIndex = ({ index }: DirectoryCopy): Promise<void> =>
    withDatabase(index, async (db) => {
      for await (const [key, stored] of db.iterator()) await db.put(key, stored.subarray(0, -CHECKSUM_BYTES));
      const cursor = JSON.parse((await db.get(cursorKey()))!.toString()) as object;
      await db.put(cursorKey(), Buffer.from(JSON.stringify({ ...cursor, layoutVersion: FIRST_CHECKED_LAYOUT - 4 })));
      await db.compactRange(Buffer.of(0), Buffer.of(0xff));
    });

  it('appends records from an index without checksums', async () => {
    const paths = await loseBlocks();
    await rm(paths.ledger);
    await makeOldIndex(paths);
    const report = await repair(paths.dataDir);
    expect([countLost(report), report.appended.length > 0, report.isChanged]).to.deep.equal([0, true, true]);
    await expectAll(paths);
  });

  it('reports the records of an index without checksums as lost when its files are damaged', async () => {
    const paths = await loseBlocks();
    await makeOldIndex(paths);
    for (const table of await filesIn(paths.index, '.ldb')) await flipBit(table, 500);
    const report = await repair(paths.dataDir);
    expect([report.appended, report.lost.length + report.unexplained.length > 0]).to.deep.equal([[], true]);
    expectUnchanged(report);
  });

  const DATABASE_DAMAGES: Readonly<Record<string, (paths: DirectoryCopy) => Promise<void>>> = {
    'CURRENT of the journal is missing, and there is no copy': async ({ chain, recentBlocks }) => {
      await rm(join(chain, 'CURRENT'));
      await rm(recentBlocks, { recursive: true });
    },
    'the MANIFEST of the copy is damaged': async ({ chain, recentBlocks }) => {
      await cutTail(await newestLogOf(chain), CUT_BYTES);
      for (const manifest of (await filesIn(recentBlocks, '')).filter((path) => path.includes('MANIFEST'))) {
        await flipBit(manifest, 10);
      }
    },
    'CURRENT of the copy is missing': async ({ chain, recentBlocks }) => {
      await cutTail(await newestLogOf(chain), CUT_BYTES);
      await rm(join(recentBlocks, 'CURRENT'));
    },
  };
  for (const [name, damage] of Object.entries(DATABASE_DAMAGES)) {
    it(`restores all blocks when ${name}`, async () => {
      const paths = await copyUndamaged();
      await damage(paths);
      await expectIdentical(paths, await repair(paths.dataDir));
    });
  }

  const loseOneBlock = async (paths: DirectoryCopy, number: number): Promise<void> => {
    for (const directory of [paths.chain, paths.recentBlocks]) {
      await withDatabase(directory, (db) => db.del(Buffer.from(encodeBlockKey(number))));
    }
  };
  const blockOf = (event: EventResource): number => Number((event as unknown as { block_number: number }).block_number);

  // Only transactions have the records.
  const loseBlockAndIndex = async (lost: EventResource): Promise<DirectoryCopy> => {
    const paths = await copyUndamaged();
    await loseOneBlock(paths, blockOf(lost));
    for (const path of [paths.index, paths.outbox]) await rm(path, { recursive: true });
    return paths;
  };

  it('sends transactions that follow a missing block again', async () => {
    const lost = events[3]!;
    const paths = await loseBlockAndIndex(lost);
    const report = await repair(paths.dataDir, { isDryRun: true });
    expect(report.unexplained.map(({ firstBlock, lastBlock }) => [firstBlock, lastBlock])).to.deep.equal([
      [blockOf(lost), blockOf(lost)],
    ]);
    expect([report.lost, report.lostNames]).to.deep.equal([[], []]);
    const done = await repair(paths.dataDir, { acceptsLoss: true });
    const appended = done.appended.map(({ record }) => record.record?.identity);
    expect(appended).to.include.members(events.slice(4).map(({ identity }) => identity));
    expect(done.others.map(({ reason }) => reason)).to.deep.equal([undefined, undefined]);
    expect((await readFound(paths)).found).to.deep.equal(events.filter((event) => event !== lost).map(toText));
  });

  it('needs the key of an author whose transactions follow a missing one, and changes nothing without it', async () => {
    const paths = await loseBlockAndIndex(events[3]!);
    const name = `${toAuthorName(toUuid(tenantIdentity()))}.key`;
    await rename(join(paths.keys, name), join(paths.dataDir, name));
    const report = await repair(paths.dataDir);
    const lost = report.lost.map(({ record }) => record.record?.identity);
    expect(lost).to.include.members(events.slice(4).map(({ identity }) => identity));
    expectUnchanged(report);
    await rename(join(paths.dataDir, name), join(paths.keys, name));
    expect((await repair(paths.dataDir, { acceptsLoss: true })).lost).to.deep.equal([]);
  });

  it('reads from the index only what no transaction contains', async () => {
    const paths = await copyUndamaged();
    await loseOneBlock(paths, blockOf(events[3]!));
    const report = await repair(paths.dataDir);
    expect([countLost(report), report.head.number]).to.deep.equal([0, blockOf(events[3]!) - 1]);
    await expectAll(paths);
  });

  it('reports the missing blocks that had no records', async () => {
    const paths = await loseBlocks();
    const report = await repair(paths.dataDir);
    const withRecords = new Set(report.appended.map(({ record }) => record.blockNumber));
    const missing = report.newestKnown - report.head.number;
    expect(report.others.map(({ transaction }) => transaction)).to.deep.equal([undefined, undefined]);
    expect(withRecords.size + report.others.length).to.equal(missing);
    await expectAll(paths);
  });

  it('identifies a tenant by its key when the index lacks the row of the tenant', async () => {
    const paths = await loseBlocks();
    await withDatabase(paths.index, (db) => db.del(tenantRowKey(toKey(tenantIdentity()))));
    const report = await repair(paths.dataDir);
    expect([countLost(report), report.appended.length > 0]).to.deep.equal([0, true]);
    await expectAll(paths);
  });

  it('completes after an interruption that left only the repaired chain', async () => {
    const paths = await copyUndamaged();
    await rename(paths.chain, paths.repairedChain);
    await rm(paths.ledger);
    expect((await runScript('repair.ts', paths.dataDir)).code).to.equal(0);
    await expectAll(paths);
  });
});
