// Prints what the project's code finds in databases on simulated disks, and copies them to a real directory. Runs with
// `--import test/simulation/edges/replaceModules.ts`. Arguments: number of seeds, directory.
import { join } from 'node:path';
import { findFileDamage } from '../../../chain/leveldb/fileDamage.ts';
import { readEntry } from '../../../chain/leveldb/readEntries.ts';
import { replaceGlobals } from '../edges/globals.ts';
import { createCrashImage } from './crashImages.ts';
import { copyToReal } from './realImages.ts';

// In virtual time, which stands still here, the check of a table makes no pause.
replaceGlobals();
const [seeds, base] = process.argv.slice(2);
const found: { damage: unknown; entry: string | undefined }[] = [];
for (let seed = 1; seed <= Number(seeds); seed += 1) {
  const { directory } = await createCrashImage(seed);
  copyToReal(directory, join(base!, String(seed)));
  const entry = await readEntry(directory, Buffer.from('key 0'));
  found.push({ damage: await findFileDamage(directory), entry: entry?.toString() });
}
console.log(JSON.stringify(found));
