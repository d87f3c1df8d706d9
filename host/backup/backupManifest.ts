// What a backup says of itself: the block that it goes up to, and the hash of each of its files. Written last, so what has none is no backup.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlockRef } from '../../chain/port.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';

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
/** What is there until the manifest is: the mark of whoever makes the backup. */
export const UNFINISHED_NAME = 'manifest.json.unfinished';
const FORMAT = 1;

// What can be made of the rest isn't copied, and isn't believed either.
const PLACES = /^(?:(?:keys|chain|outbox|blobs\/content)\/.|network\.json$)/;
/** Of a database the file without which it is none. */
const NEEDED = ['keys/ledger-administrator.key', 'outbox/CURRENT'] as const;
/** The chain itself, or where it is: one of them. */
const CHAINS = ['chain/CURRENT', 'network.json'] as const;

const assertComplete = ({ files }: Pick<BackupManifest, 'files'>): void => {
  const foreign = Object.keys(files).find((path) => !PLACES.test(path));
  if (foreign !== undefined) throw new Error(`${foreign} does not belong into a backup`);
  const missing = NEEDED.find((path) => !Object.hasOwn(files, path));
  if (missing !== undefined) throw new Error(`the backup lacks ${missing}`);
  const chains = CHAINS.filter((path) => Object.hasOwn(files, path));
  if (chains.length === 0) throw new Error(`the backup lacks ${CHAINS.join(' or ')}`);
  if (chains.length > 1) throw new Error(`the backup has ${CHAINS.join(' and ')}: it must be of one chain`);
};

/**
 * Makes the mark of an unfinished backup its manifest, all at once.
 * @throws Error when the backup lacks something, or its mark is gone because somebody else removed it.
 */
export const writeManifest = async (directory: string, content: Omit<BackupManifest, 'format'>): Promise<void> => {
  assertComplete(content);
  const mark = join(directory, UNFINISHED_NAME);
  await writeFile(mark, `${JSON.stringify({ format: FORMAT, ...content }, null, 1)}\n`, { flag: 'r+', flush: true });
  await rename(mark, join(directory, MANIFEST_NAME));
};

const isFiles = (value: unknown): value is BackupManifest['files'] =>
  isJsonObject(value) && Object.values(value).every((sha256) => typeof sha256 === 'string');

const isManifest = (value: unknown): value is BackupManifest => {
  const { format, head, files } = (value ?? {}) as Partial<BackupManifest>;
  return format === FORMAT && typeof head?.number === 'number' && typeof head.hash === 'string' && isFiles(files);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** @throws Error when the directory is no backup, one of another format, one that lacks something, or one with more than a backup has. */
export const readManifest = async (directory: string): Promise<BackupManifest> => {
  const path = join(directory, MANIFEST_NAME);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`${directory} is no backup: it has no ${MANIFEST_NAME} that can be read`, { cause });
  });
  const manifest = parseJson(text);
  if (!isManifest(manifest)) throw new Error(`${path} is not of a format that this version knows`);
  assertComplete(manifest);
  return manifest;
};
