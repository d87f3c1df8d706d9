// Kills at every step of opening and writing a simulated database: it opens again, as the real LevelDB does.
import { join } from 'node:path';
import { expect } from 'chai';
import { useDirectories } from '../../support/directories.ts';
import { type KillKind, type SimulatedProcess, setKills, startProcess } from '../world/processes.ts';
import { createStream } from '../world/random.ts';
import { createWorld, type World } from '../world/world.ts';
import { Disk } from './disk.ts';
import { mountDisk } from './mounts.ts';
import { copyToReal, createSimulated, readReal, readSimulated } from './realImages.ts';

const DIRECTORY = '/simulated/kills/data';
const TIMEOUT_MS = 10_000;

interface Run {
  /** Kill points that the run reached. */
  readonly points: number;
  /** Keys of the synced writes that were answered. */
  readonly answered: readonly string[];
  readonly isKilled: boolean;
}

const start = (disk: Disk, seed: number): SimulatedProcess =>
  startProcess({
    name: 'database',
    machine: 'kills',
    onKilled: (kind) => disk.crash(kind, createStream(seed, 'crash')),
  });

const useDatabase = async (answered: string[]): Promise<void> => {
  for (const session of ['1', '2']) {
    const db = createSimulated(DIRECTORY);
    await db.open();
    for (const key of ['a', 'b']) {
      await db.put(`unsynced ${session} ${key}`, key);
      await db.put(`${session} ${key}`, 'x'.repeat(3_000), { sync: true });
      answered.push(`${session} ${key}`);
    }
    await db.close();
  }
};

/** Uses a new database in a process that is killed at a kill point, counted from 1. */
const runUntilKill = async (world: World, disk: Disk, killedAt: number, kind: KillKind): Promise<Run> => {
  let points = 0;
  const answered: string[] = [];
  let isDone = false;
  const process = start(disk, killedAt);
  setKills(() => {
    points += 1;
    return points === killedAt ? kind : undefined;
  });
  process.run(() =>
    useDatabase(answered).then(() => {
      isDone = true;
    }),
  );
  await world.runUntil(() => isDone || !process.isAlive(), TIMEOUT_MS);
  setKills(() => undefined);
  return { points, answered, isKilled: !process.isAlive() };
};

describe('a kill of a process with a simulated database', () => {
  const createDirectory = useDirectories();
  after(() => setKills(() => undefined));

  for (const kind of ['SIGKILL', 'power failure'] as const) {
    it(`at any step loses no synced row, and leaves files that the real LevelDB opens: ${kind}`, async () => {
      const base = await createDirectory();
      let killedAt = 0;
      for (let isKilled = true; isKilled; ) {
        killedAt += 1;
        const world = createWorld(killedAt);
        const disk = new Disk();
        mountDisk('kills', disk);
        const run = await runUntilKill(world, disk, killedAt, kind);
        isKilled = run.isKilled;
        const copy = join(base, String(killedAt));
        copyToReal(DIRECTORY, copy);
        const found = await readReal(copy);
        expect(await readSimulated(DIRECTORY), `killed at point ${killedAt}`).to.deep.equal(found);
        // LevelDB doesn't sync its first MANIFEST.
        if (kind === 'power failure' && typeof found === 'string' && run.answered.length === 0) continue;
        const keys = (found as (readonly [string, string])[]).map(([key]) => key);
        expect(keys, `killed at point ${killedAt}`).to.include.members([...run.answered]);
      }
      expect(killedAt).to.be.above(40);
    });
  }

  it('ends its lock, and its handles change nothing afterwards', async () => {
    const world = createWorld(1);
    const disk = new Disk();
    mountDisk('kills', disk);
    const process = start(disk, 1);
    const db = process.run(() => createSimulated(DIRECTORY));
    let isOpen = false;
    process.run(() =>
      db.open().then(() => {
        isOpen = true;
      }),
    );
    await world.runUntil(() => isOpen, TIMEOUT_MS);
    const second = createSimulated(DIRECTORY);
    const refusal = await second.open().catch((error: Error) => (error.cause as { code: string }).code);
    expect(refusal).to.equal('LEVEL_LOCKED');
    process.kill('SIGKILL');
    let isAnswered = false;
    db.put('late', 'x').finally(() => {
      isAnswered = true;
    });
    await world.runUntil(() => isAnswered, TIMEOUT_MS);
    expect(isAnswered).to.equal(false);
    expect(await readSimulated(DIRECTORY)).to.deep.equal([]);
  });
});
