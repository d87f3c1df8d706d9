// Whether set-up can write to the disk of the repository, said in one line before or when it can't.
import { existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './platforms.js';

/** What the packages of a goal take in the repository, in MiB, without Node: less than was measured. */
const PACKAGES_MIB = { runtime: 120, development: 500 };
const MIB = 2 ** 20;

/** @type {Record<string, string>} */
const REASONS = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
};

/**
 * @param {string} root
 * @param {import('./plan.js').Goal} goal
 * @throws {SetupError} when the disk has too little space for packages that are not there yet
 */
export const assertSpace = (root, goal) => {
  // What is there is deleted before it is installed again.
  if (existsSync(join(root, 'node_modules'))) return;
  const { bavail, bsize } = statfsSync(root);
  const freeMib = Math.floor((bavail * bsize) / MIB);
  const neededMib = PACKAGES_MIB[goal];
  if (freeMib >= neededMib) return;
  throw new SetupError(
    `the packages for ${goal} need over ${neededMib} MiB in ${root}, and its disk has ${freeMib} MiB free. ` +
      'Free some, or clone to another disk, and run the command again.',
  );
};

/**
 * The refusal for an error of the system that says why the disk can't be written; undefined for any other error.
 * @param {unknown} error
 */
export const toDiskRefusal = (error) => {
  const { code = '', path, syscall } = /** @type {NodeJS.ErrnoException} */ (error);
  const reason = REASONS[code];
  if (reason === undefined || syscall === undefined) return undefined;
  return new SetupError(
    `can't write${path === undefined ? '' : ` ${path}`}: ${reason} (${code}). ` +
      'It installs into the folder of the repository: make that writable, or clone to another disk, and run the command again.',
  );
};
