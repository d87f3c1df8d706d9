// Damages real files of a database as a disk does: a changed byte, a lost tail, a missing file.
import { open, readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/** Paths of a directory's files with this ending, sorted by name. */
export const filesIn = async (directory: string, ending: string): Promise<string[]> =>
  (await readdir(directory))
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(directory, name));

/** The log that a LevelDB database writes to: the newest one that isn't empty. */
export const newestLogOf = async (directory: string): Promise<string> => {
  const logs = await filesIn(directory, '.log');
  const sizes = await Promise.all(logs.map(async (path) => (await stat(path)).size));
  return logs.filter((_, at) => sizes[at]! > 0).at(-1)!;
};

/** Flips one bit of a byte; a negative position counts from the end. */
export const flipBit = async (path: string, at: number, bit = 0): Promise<void> => {
  // In place, because LevelDB may have mapped the file into memory.
  await using file = await open(path, 'r+');
  const { size } = await file.stat();
  const position = at < 0 ? size + at : at;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, position);
  buffer[0]! ^= 1 << bit;
  await file.write(buffer, 0, 1, position);
};

/** Cuts bytes off the end of a file. */
export const cutTail = async (path: string, bytes: number): Promise<void> => {
  const { size } = await stat(path);
  await truncate(path, Math.max(0, size - bytes));
};
