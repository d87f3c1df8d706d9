// Where a migration reads and writes: never into the directory that it reads, and not where it couldn't finish.
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { isEmpty } from '../backup/backupFiles.ts';
import { hasLedger } from '../knownLedger.ts';

/** Directories of a migration, as absolute paths. */
export interface MigrationPlaces {
  readonly source: string;
  readonly target: string;
  /** Holds the copy until it is complete. */
  readonly building: string;
}

/** A directory below the building place that only a migration creates. */
export const MARKER = 'lock';

// The path without symbolic links, also of what doesn't exist yet.
const toReal = (path: string): string =>
  existsSync(path) ? realpathSync(path) : join(toReal(dirname(path)), path.slice(dirname(path).length));

const isWithin = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(`${directory}${sep}`);

const assertApart = (source: string, places: readonly string[]): void => {
  const real = toReal(source);
  for (const place of places.map(toReal)) {
    if (!isWithin(real, place) && !isWithin(place, real)) continue;
    throw new Error(`${source} and ${place} are not apart; name a new directory beside the old one`);
  }
};

const NEW_DIRECTORY = 'name a directory that does not exist, in one that does';

// The copy gets its name by a rename, which neither replaces a symbolic link nor crosses a file system.
const assertTarget = async (target: string): Promise<void> => {
  if (!existsSync(dirname(target))) throw new Error(`${dirname(target)} does not exist`);
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) throw new Error(`${target} is not a directory; ${NEW_DIRECTORY}`);
  if (found.dev !== statSync(dirname(target)).dev) throw new Error(`${target} is a mount point; ${NEW_DIRECTORY}`);
  if (!(await isEmpty(target))) throw new Error(`${target} is not empty`);
};

/** @throws Error that states what is wrong with one of the places. */
export const assertPlaces = async ({ source, target, building }: MigrationPlaces): Promise<void> => {
  const isDirectory = statSync(source, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isDirectory || !hasLedger(source)) throw new Error(`there is no ledger in ${source}`);
  assertApart(source, [target, building]);
  await assertTarget(target);
  if (!(await isEmpty(building)) && !existsSync(join(building, MARKER))) {
    throw new Error(`${building} is no migration that was interrupted; move it away`);
  }
};
