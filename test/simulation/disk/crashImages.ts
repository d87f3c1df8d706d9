// Databases of a simulated disk after power failures, from a seed.
import { createStream, type Random } from '../world/random.ts';
import { createWorld } from '../world/world.ts';
import { Disk } from './disk.ts';
import { mountDisk } from './mounts.ts';
import { createSimulated } from './realImages.ts';

const LARGE_BYTES = 40_000;

/** A database after a power failure. */
export interface CrashImage {
  readonly directory: string;
  readonly disk: Disk;
  /** Rows that were synced, or written before the database was opened again. */
  readonly durable: ReadonlyMap<string, string>;
  /** The others. A later sync may have made them durable, too. */
  readonly unsynced: ReadonlyMap<string, string>;
}

const toValue = (random: Random, at: number): string =>
  `${at}.`.repeat(random.chance(0.05) ? LARGE_BYTES / 4 : random.integer(1, 200));

// Each key is written once, so that a row is either there or not.
const writeRows = async (random: Random): Promise<CrashImage> => {
  const disk = new Disk();
  const directory = `${mountDisk('crash', disk)}/data`;
  let db = createSimulated(directory);
  await db.open();
  const durable = new Map<string, string>();
  const unsynced = new Map<string, string>();
  const writes = random.integer(0, 40);
  for (let at = 0; at < writes; at += 1) {
    const [key, value] = [`key ${at}`, toValue(random, at)];
    const sync = random.chance(0.3);
    await db.put(key, value, { sync });
    // A sync makes no row of an older log durable.
    (sync ? durable : unsynced).set(key, value);
    if (!random.chance(0.05)) continue;
    await db.close();
    db = createSimulated(directory);
    await db.open();
    // As the project does: otherwise CURRENT may name the MANIFEST before.
    disk.sync(disk.require(directory));
    for (const [written, text] of unsynced) durable.set(written, text);
    unsynced.clear();
  }
  return { directory, disk, durable, unsynced };
};

/** The database of a seed. */
export const createCrashImage = async (seed: number): Promise<CrashImage> => {
  createWorld(seed);
  const random = createStream(seed, 'crash image');
  const image = await writeRows(random);
  image.disk.crash('power failure', random);
  return image;
};
