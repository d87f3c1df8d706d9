// Files with secrets: keys, and credentials that settings name.
import { chmod, open, stat } from 'node:fs/promises';

const OF_OTHERS = 0o007;
const OF_GROUP = 0o070;
const GROUP_READS = 0o040;
const WRITES = 0o222;
const PRIVATE_DIRECTORY = 0o700;
const FILE_BYTES_MAX = 65_536;

/** Whether only the owner has a file, or its group reads it and nobody writes it, as mounted secrets are (0440). */
export const isPrivateMode = (mode: number): boolean =>
  (mode & OF_OTHERS) === 0 && ((mode & OF_GROUP) === 0 || ((mode & OF_GROUP) === GROUP_READS && (mode & WRITES) === 0));

/** What to do about a file that isn't private. */
export const toOpenToOthers = (path: string): string =>
  `is open to others; run: chmod 600 ${path}, or mount it with the mode 0440 or 0400`;

/** Makes a directory private. One that is mounted read-only stays as it is: its files are what is checked. */
export const closeDirectory = async (path: string): Promise<void> => {
  if (((await stat(path)).mode & 0o777) === PRIVATE_DIRECTORY) return;
  await chmod(path, PRIVATE_DIRECTORY).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EROFS') throw error;
  });
};

/** The text of a file without the blanks and the byte order mark, a blank to ECMAScript, that tools put around it. */
export const trimText = (text: string): string => text.trim();

/** The text of a file with at most 64 KiB. @throws Error when it is larger. */
export const readSmallText = async (path: string, assertMode: (mode: number) => void = () => {}): Promise<string> => {
  await using file = await open(path, 'r');
  const { mode, size } = await file.stat();
  assertMode(mode);
  if (size > FILE_BYTES_MAX) throw new Error(`it has more than ${FILE_BYTES_MAX} bytes`);
  return trimText(await file.readFile('utf8'));
};

/** The text of such a file that is a secret. @throws Error when it is open to others, too. */
export const readPrivateText = (path: string): Promise<string> =>
  readSmallText(path, (mode) => {
    if (!isPrivateMode(mode)) throw new Error(`it ${toOpenToOthers(path)}`);
  });
