// What a power failure leaves of a first start of LevelDB whose first MANIFEST was not on the disk.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Contents by the names of files. */
export type Files = Readonly<Record<string, string>>;

const CURRENT = 'MANIFEST-000001\n';
const MANIFEST_BYTES = 41;

/** The files of such a directory, by what is lost. */
export const cutOffStarts: Readonly<Record<string, Files>> = {
  'an empty MANIFEST': { CURRENT, 'MANIFEST-000001': '' },
  'a MANIFEST of zeros': { CURRENT, 'MANIFEST-000001': '\0'.repeat(MANIFEST_BYTES) },
  'a MANIFEST that is cut': { CURRENT, 'MANIFEST-000001': 'V\x0b)\x1f\x22\0\x01' },
  'no MANIFEST': { CURRENT },
  'a log, and the next MANIFEST': {
    CURRENT,
    'MANIFEST-000001': '',
    '000003.log': '',
    'MANIFEST-000002': '\0'.repeat(MANIFEST_BYTES),
    '000002.dbtmp': 'MANIFEST-000002\n',
  },
  'the logs of several attempts': { CURRENT, 'MANIFEST-000001': '', '000003.log': '', '000004.log': '' },
};

/** Writes files into a directory, which is created if needed. */
export const writeFiles = async (directory: string, files: Files): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const [name, contents] of Object.entries(files)) await writeFile(join(directory, name), contents);
};
