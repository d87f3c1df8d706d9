// Removes a directory with everything in it, as `rm -r` does: name by name.
import type { Disk } from './disk.ts';
import { createSystemError } from './fileErrors.ts';

/** Options of Node's `rm`. */
export interface RemoveOptions {
  readonly recursive?: boolean;
  readonly force?: boolean;
}

/** One removal of a name, and its path. */
export interface Removal {
  readonly path: string;
  readonly run: () => void;
}

const listTree = (disk: Disk, path: string): Removal[] => {
  if (disk.require(path, 'rm').kind === 'file') return [{ path, run: () => disk.unlink(path) }];
  const below = disk.readDirectory(path).flatMap((name) => listTree(disk, `${path}/${name}`));
  return [...below, { path, run: () => disk.removeDirectory(path) }];
};

/** The removals that `rm` of a path consists of, in order. @throws the error of `rm`. */
export const listRemovals = (disk: Disk, path: string, { recursive, force }: RemoveOptions = {}): Removal[] => {
  const node = disk.find(path);
  if (node === undefined && force) return [];
  if (node?.kind === 'directory' && !recursive) {
    const error = createSystemError('EISDIR', 'rm', path);
    throw Object.assign(error, { code: 'ERR_FS_EISDIR' });
  }
  return listTree(disk, path.replace(/\/+$/, ''));
};
