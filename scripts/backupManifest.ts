// What a backup says of itself: the block that it goes up to, and the hash of each of its files. Written last, so what has none is no backup.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlockRef } from '../chain/port.ts';

export interface BackupManifest {
  readonly format: 1;
  /** RFC 3339. */
  readonly created: string;
  /** Newest block of the chain. */
  readonly head: BlockRef;
  /** SHA-256 of every file by its path, with `/` between its parts. */
  readonly files: Readonly<Record<string, string>>;
}

export const MANIFEST_NAME = 'manifest.json';
const FORMAT = 1;
const PRIVATE_FILE = 0o600;

export const writeManifest = (directory: string, content: Omit<BackupManifest, 'format'>): Promise<void> =>
  writeFile(join(directory, MANIFEST_NAME), `${JSON.stringify({ format: FORMAT, ...content }, null, 1)}\n`, {
    flag: 'wx',
    mode: PRIVATE_FILE,
    flush: true,
  });

const isManifest = (value: unknown): value is BackupManifest => {
  const { format, head, files } = (value ?? {}) as Partial<BackupManifest>;
  return format === FORMAT && typeof head?.number === 'number' && typeof head.hash === 'string' && files !== undefined;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** @throws Error when the directory is no backup, or one of another format. */
export const readManifest = async (directory: string): Promise<BackupManifest> => {
  const path = join(directory, MANIFEST_NAME);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`${directory} is no backup: it has no ${MANIFEST_NAME} that can be read`, { cause });
  });
  const manifest = parseJson(text);
  if (isManifest(manifest)) return manifest;
  throw new Error(`${path} is not of a format that this version knows`);
};
