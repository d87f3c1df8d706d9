// Whether a disk is full: a test may fail for that without saying so.
import { statfsSync } from 'node:fs';

// What a small database needs.
const FREE_BYTES_MIN = 1_000_000;

/** Whether the disk of a directory has no more room for files, or for their names. */
export const isDiskFull = (directory: string): boolean => {
  const { bavail, bsize, files, ffree } = statfsSync(directory);
  // Some file systems count no files.
  return bavail * bsize < FREE_BYTES_MIN || (files > 0 && ffree === 0);
};
