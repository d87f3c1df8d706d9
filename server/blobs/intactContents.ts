// Whether the file of a content still has the bytes that it is named by. A file is read once: until something changes
// it, which the system notes in its times, it stays as it was found.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createRunExclusively } from '../fairness/exclusive.ts';

/** Content that a file should have. */
export interface ExpectedContent {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** What is wrong with the file at a path; undefined when it has this content. */
export type FindDamage = (path: string, expected: ExpectedContent) => Promise<string | undefined>;

/** Files that are remembered: some hundred bytes each. */
const KNOWN_MAX = 10_000;

interface FileState {
  readonly size: bigint;
  /** The same until the file is replaced or changed, whatever its time of change is set to. */
  readonly stamp: string;
}

const readState = async (path: string): Promise<FileState | undefined> => {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return { size, stamp: [dev, ino, size, mtimeNs, ctimeNs].join(' ') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const hashFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
};

/** Creates the check, which reads each file once. Rejects when a file can't be read. */
export const createFindDamage = (): FindDamage => {
  const stamps = new Map<string, string>();
  const runExclusively = createRunExclusively();
  const remember = (path: string, stamp: string): void => {
    stamps.delete(path);
    stamps.set(path, stamp);
    if (stamps.size > KNOWN_MAX) stamps.delete(stamps.keys().next().value!);
  };
  return async (path, { sha256, size }) => {
    const found = await readState(path);
    if (found === undefined) return 'is missing';
    if (found.size !== BigInt(size)) return `has ${found.size} bytes instead of ${size}`;
    return runExclusively(path, async () => {
      if (stamps.get(path) === found.stamp) return undefined;
      if ((await hashFile(path)) !== sha256) return 'has other bytes than those of its record';
      remember(path, found.stamp);
      return undefined;
    });
  };
};
