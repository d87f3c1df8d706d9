// Brings the names of a directory to the disk: a file that was made, moved or removed there is so after a power loss too.
import { open } from 'node:fs/promises';

/** Resolves when the directory's entries are on the disk. */
export const syncDirectory = async (directory: string): Promise<void> => {
  await using handle = await open(directory, 'r');
  await handle.sync();
};
