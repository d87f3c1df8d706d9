// Syncs the entries of a directory: a file that was created, moved or removed there stays so after a power loss.
import { open } from 'node:fs/promises';

/** Resolves when the directory's entries are on the disk. */
export const syncDirectory = async (directory: string): Promise<void> => {
  await using handle = await open(directory, 'r');
  await handle.sync();
};
