// The directories of indexes that a rebuild has set aside, because the chain has replaced their newest block: unread
// while their records that are gone aren't kept, then kept as they are.
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncDirectory } from '../../chain/leveldb/syncDirectory.ts';

const UNREAD = '.unread-';
const READ = '.replaced-';

/** The first of `path.replaced-1`, `path.replaced-2`, ... that is free. */
export const toReplacedPath = (path: string): string => {
  for (let number = 1; ; number += 1) {
    const free = `${path}${READ}${number}`;
    if (!existsSync(free) && !existsSync(`${path}${UNREAD}${number}`)) return free;
  }
};

// A folder above may have either mark in its name.
const withMark = (path: string, mark: string): string =>
  join(dirname(path), basename(path).replace(/\.(?:unread|replaced)-(?=\d+$)/, mark));

/** Sets an index aside, and leaves an empty directory in its place. */
export const setIndexAside = async (index: string): Promise<void> => {
  await rename(index, withMark(toReplacedPath(index), UNREAD));
  await mkdir(index, { mode: 0o700 });
  await syncDirectory(dirname(index));
};

const numberOf = (path: string): number => Number(path.slice(path.lastIndexOf('-') + 1));

/** The indexes beside `index` whose records that are gone aren't kept yet, the oldest first. */
export const findUnread = async (index: string): Promise<string[]> => {
  const names = await readdir(dirname(index));
  const unread = names.filter((name) => name.startsWith(`${basename(index)}${UNREAD}`));
  return unread.map((name) => join(dirname(index), name)).sort((one, other) => numberOf(one) - numberOf(other));
};

/** Gives an index the name of one that was read. Resolves with its path. */
export const markRead = async (unread: string): Promise<string> => {
  const read = withMark(unread, READ);
  await rename(unread, read);
  await syncDirectory(dirname(read));
  return read;
};

/** Removes an index that has nothing which the chain lacks. */
export const removeRead = async (unread: string): Promise<void> => {
  await rm(unread, { recursive: true });
};
