// Removes the directory of a process or of a run. A test may have left what can't be removed, such as a mounted disk.
import { rmSync } from 'node:fs';

/** Removes a directory with all that is in it; returns the end of a message when it can't. */
export const removeDirectory = (directory: string): string => {
  try {
    rmSync(directory, { recursive: true, force: true });
    return '';
  } catch (error) {
    return `; ${directory} can't be removed (${(error as Error).message}): unmount what is mounted below it`;
  }
};
