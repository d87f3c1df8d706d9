// A change at the end of a MANIFEST that a power failure cut off while a database was in use. LevelDB refuses to open
// such a database when the change is damaged, or when the names of its tables were lost.
import { open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DamagedBytes } from './byteReader.ts';
import { toManifestName } from './fileNames.ts';
import { readLiveFiles } from './manifestFile.ts';
import { syncDirectory } from './syncDirectory.ts';

const isExpected = (error: unknown): boolean =>
  error instanceof DamagedBytes || ['ENOENT', 'EIO'].includes((error as NodeJS.ErrnoException).code ?? '');

/** The MANIFEST and what of it is kept; undefined when nothing can be cut off: LevelDB reports what it finds. */
const findCut = async (directory: string): Promise<{ name: string; kept: Buffer } | undefined> => {
  try {
    const name = toManifestName(await readFile(join(directory, 'CURRENT'), 'latin1'));
    if (name === undefined) return undefined;
    const manifest = await readFile(join(directory, name));
    const { end } = readLiveFiles(manifest, await readdir(directory));
    return end < manifest.length ? { name, kept: manifest.subarray(0, end) } : undefined;
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
};

/**
 * Removes such a change from a database that no process has open. The files from before the change are still there, so
 * nothing is lost.
 */
export const removeCutOffChange = async (directory: string): Promise<void> => {
  const cut = await findCut(directory);
  if (cut === undefined) return;
  // LevelDB removes files with this ending.
  const temporary = join(directory, `${cut.name.slice('MANIFEST-'.length)}.dbtmp`);
  {
    await using file = await open(temporary, 'w', 0o644);
    await file.writeFile(cut.kept);
    await file.sync();
  }
  await rename(temporary, join(directory, cut.name));
  await syncDirectory(directory);
};
