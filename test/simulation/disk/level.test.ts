// The simulated LevelDB beside the real one: the same operations have the same results.
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { Level as RealLevel } from 'level';
import { useDirectories } from '../../support/directories.ts';
import { runs } from '../../support/propertyRuns.ts';
import { createWorld } from '../world/world.ts';
import { Disk } from './disk.ts';
import { mountDisk } from './mounts.ts';
import { copyToReal, createSimulated, readReal } from './realImages.ts';

type Database = RealLevel<string, string>;
type Operation = (db: Database) => Promise<unknown>;

const keys = fc.string({ unit: fc.constantFrom('a', 'b', '~', '\u00e9', '\u6f22'), minLength: 1, maxLength: 3 });
const values = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.integer({ min: 1, max: 70_000 }).map((size) => 'v'.repeat(size)),
);
const options = fc.record({ sync: fc.boolean() });
const bound = fc.option(keys, { nil: undefined });
const ranges = fc
  .record({
    gt: bound,
    gte: bound,
    lt: bound,
    lte: bound,
    reverse: fc.boolean(),
    limit: fc.constantFrom(-1, 0, 1, 3),
  })
  .map((range) => Object.fromEntries(Object.entries(range).filter(([, value]) => value !== undefined)));

const readSnapshot = async (db: Database, key: string, value: string): Promise<unknown> => {
  const snapshot = db.snapshot();
  try {
    await db.put(key, value);
    return [db.getSync(key, { snapshot }), await db.get(key, { snapshot }), await db.keys({ snapshot }).all()];
  } finally {
    await snapshot.close();
  }
};

const toBatch = (entries: readonly (readonly [string, string | undefined])[]) =>
  entries.map(([key, value]) =>
    value === undefined ? ({ type: 'del', key } as const) : ({ type: 'put', key, value } as const),
  );

const operations: fc.Arbitrary<Operation> = fc.oneof(
  fc.tuple(keys, values, options).map(
    ([key, value, option]) =>
      (db: Database) =>
        db.put(key, value, option),
  ),
  fc.tuple(keys, options).map(
    ([key, option]) =>
      (db: Database) =>
        db.del(key, option),
  ),
  fc.tuple(fc.array(fc.tuple(keys, fc.option(values, { nil: undefined })), { maxLength: 8 }), options).map(
    ([entries, option]) =>
      (db: Database) =>
        db.batch(toBatch(entries), option),
  ),
  fc.tuple(keys, keys).map(
    ([put, removed]) =>
      (db: Database) =>
        db.batch().put(put, 'chained').del(removed).write(),
  ),
  keys.map((key) => async (db: Database) => [db.getSync(key), await db.get(key), await db.has(key)]),
  fc.array(keys).map((many) => async (db: Database) => [await db.getMany(many), await db.hasMany(many)]),
  ranges.map((range) => (db: Database) => db.iterator(range).all()),
  ranges.map((range) => (db: Database) => db.keys({ ...range, keyEncoding: 'buffer' }).all()),
  ranges.map((range) => (db: Database) => db.values(range).all()),
  ranges.map((range) => (db: Database) => db.clear(range)),
  fc.tuple(keys, values).map(
    ([key, value]) =>
      (db: Database) =>
        readSnapshot(db, key, value),
  ),
  fc.constant(async (db: Database) => {
    await db.close();
    await db.open();
  }),
  fc.constant((db: Database) => db.get(undefined as unknown as string)),
);

const resultOf = async (task: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await task();
  } catch (error) {
    const { code, message, cause } = error as Error & { code?: string };
    return { code, message, cause: (cause as { code?: string } | undefined)?.code };
  }
};

describe('the simulated LevelDB', () => {
  const createDirectory = useDirectories();
  let tries = 0;

  const openBoth = async (): Promise<{ real: Database; simulated: Database; base: string }> => {
    createWorld(1);
    tries += 1;
    const base = join(await createDirectory(), String(tries));
    const simulated = createSimulated(`${mountDisk('level', new Disk())}/data`);
    const real = new RealLevel<string, string>(join(base, 'real'));
    await Promise.all([real.open(), simulated.open()]);
    return { real, simulated, base };
  };

  it('has the results of the real one, whose files it writes', async () => {
    const property = fc.asyncProperty(fc.array(operations, { maxLength: 40 }), async (steps) => {
      const { real, simulated, base } = await openBoth();
      for (const [at, step] of steps.entries()) {
        const expected = await resultOf(() => step(real));
        expect(await resultOf(() => step(simulated)), `step ${at}`).to.deep.equal(expected);
      }
      const rows = await real.iterator().all();
      await Promise.all([real.close(), simulated.close()]);
      copyToReal('/simulated/level/data', join(base, 'copy'));
      expect(await readReal(join(base, 'copy'))).to.deep.equal(rows);
    });
    await fc.assert(property, runs(60));
  });

  it('refuses what the real one refuses', async () => {
    const { real, simulated } = await openBoth();
    for (const [db, create] of [
      [real, (path: string, option?: object) => new RealLevel<string, string>(path, option)],
      [simulated, (path: string) => createSimulated(path)],
    ] as const) {
      const second = create(db.location);
      expect(await resultOf(() => second.open())).to.include({
        code: 'LEVEL_DATABASE_NOT_OPEN',
        cause: 'LEVEL_LOCKED',
      });
      await db.close();
      const refusal = await resultOf(() => second.open({ errorIfExists: true }));
      expect(refusal).to.include({ code: 'LEVEL_DATABASE_NOT_OPEN', cause: undefined });
      await second.open();
      await second.close();
      expect(await resultOf(() => second.get('a'))).to.include({ code: 'LEVEL_DATABASE_NOT_OPEN' });
    }
  });

  it('writes what waits in one record', async () => {
    const { real, simulated } = await openBoth();
    const disk = new Disk();
    mountDisk('level', disk);
    await real.close();
    await simulated.close();
    const db = createSimulated('/simulated/level/grouped');
    await db.open();
    await Promise.all(['a', 'b', 'c', 'd'].map((key) => db.put(key, key, { sync: true })));
    await db.close();
    const log = disk.readDirectory('/simulated/level/grouped').find((name) => name.endsWith('.log'))!;
    // The first record has one operation, the second has three.
    const bytes = disk.readFile(`/simulated/level/grouped/${log}`);
    expect(bytes.readUInt32LE(15)).to.equal(1);
    expect(bytes.readUInt32LE(7 + bytes.readUInt16LE(4) + 15)).to.equal(3);
  });
});
