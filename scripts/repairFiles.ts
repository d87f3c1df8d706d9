// The files of a repair. What is replaced is kept under a name with the date, and every step is one rename, so that a repair that was cut off
// begins again where it was.
import { existsSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { dataPaths } from './config.ts';

const syncDirectory = async (directory: string): Promise<void> => {
  await using handle = await open(directory, 'r');
  await handle.sync();
};

/** Moves a directory or file, durably. */
export const move = async (from: string, to: string): Promise<void> => {
  await rename(from, to);
  await syncDirectory(dirname(to));
};

/** Moves what is there to a name with the date beside it; resolves with that name, undefined when nothing was there. */
export const putAside = async (path: string, nowMs: number): Promise<string | undefined> => {
  if (!existsSync(path)) return undefined;
  const aside = `${path}.damaged-${new Date(nowMs).toISOString().replaceAll(':', '-')}`;
  await move(path, aside);
  return aside;
};

/** Puts a whole restored chain in its place, where one is there. Resolves with where the damaged one is kept. */
export const placeRepairedChain = async (dataDir: string, nowMs: number): Promise<string | undefined> => {
  const { chain, repairedChain } = dataPaths(dataDir);
  if (!existsSync(repairedChain)) return undefined;
  const aside = await putAside(chain, nowMs);
  await move(repairedChain, chain);
  return aside;
};

/** The block after which records are being appended again; undefined when no repair was cut off there. */
export const readAppendingAfter = async (dataDir: string): Promise<number | undefined> => {
  const { repairing } = dataPaths(dataDir);
  if (!existsSync(repairing)) return undefined;
  const { afterBlock } = JSON.parse(await readFile(repairing, 'utf8')) as { afterBlock: number };
  return afterBlock;
};

/** Notes, durably, that records of blocks after this one are being appended again. */
export const noteAppendingAfter = async (dataDir: string, afterBlock: number): Promise<void> => {
  const { repairing } = dataPaths(dataDir);
  await using file = await open(`${repairing}.tmp`, 'w', 0o600);
  await file.writeFile(JSON.stringify({ afterBlock }));
  await file.sync();
  await move(`${repairing}.tmp`, repairing);
};

export const forgetAppending = async (dataDir: string): Promise<void> => {
  await rm(dataPaths(dataDir).repairing);
  await syncDirectory(dataDir);
};

/** @throws Error when a repair was cut off: the index has records that the chain does not have yet. */
export const assertRepaired = (dataDir: string): void => {
  const { repairing, repairedChain } = dataPaths(dataDir);
  if (![repairing, repairedChain].some((path) => existsSync(path))) return;
  throw new Error(`a repair of ${dataDir} did not finish; run npm run repair again`);
};
