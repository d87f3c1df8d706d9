// Copies directories of simulated disks to the real file system, for the real LevelDB.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Level as RealLevel } from 'level';
import { Level } from './level.ts';
import { diskOf } from './mounts.ts';

/** Keys and values, or the code of LevelDB's refusal. */
export type Contents = readonly (readonly [key: string, value: string])[] | string;

/** A simulated database with the types of the real one. */
export const createSimulated = (directory: string): RealLevel<string, string> =>
  new Level<string, string>(directory) as unknown as RealLevel<string, string>;

/** Copies the files of a simulated directory into a new real one. */
export const copyToReal = (directory: string, target: string): void => {
  const disk = diskOf(directory);
  mkdirSync(target, { recursive: true });
  if (disk.find(directory) === undefined) return;
  for (const name of disk.readDirectory(directory)) {
    writeFileSync(join(target, name), disk.readFile(`${directory}/${name}`));
  }
};

const toCode = (error: unknown): string => ((error as Error).cause as { code?: string }).code ?? String(error);

const readContents = async (db: RealLevel<string, string>): Promise<Contents> => {
  try {
    await db.open();
  } catch (error) {
    return toCode(error);
  }
  try {
    return await db.iterator().all();
  } finally {
    await db.close();
  }
};

/** What the simulated LevelDB finds in a directory. It changes the files, as LevelDB does. */
export const readSimulated = (directory: string): Promise<Contents> => readContents(createSimulated(directory));

/** What the real LevelDB finds in a directory. */
export const readReal = (directory: string): Promise<Contents> =>
  readContents(new RealLevel<string, string>(directory));
