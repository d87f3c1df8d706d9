// Checks all files of the index before it is opened, and its tables once an hour while the server runs: a row that
// can't be found because its key has changed has no checksum that a read could verify.
import { mkdir, rm } from 'node:fs/promises';
import { raiseIfMistake } from '../../chain/defects.ts';
import { assertDiskSpace } from '../../chain/leveldb/assertDiskSpace.ts';
import { type FileDamage, findFileDamage, findTableDamage } from '../../chain/leveldb/fileDamage.ts';
import { removeCutOff } from '../../chain/leveldb/openDatabase.ts';
import { readEntry } from '../../chain/leveldb/readEntries.ts';
import { syncDirectory } from '../../chain/leveldb/syncDirectory.ts';
import { cursorKey } from '../../indexer/keys.ts';
import type { Cursor } from '../../indexer/rows/rows.ts';
import { createIndexStore, decodeCursor, type IndexOptions, type IndexStore } from '../../indexer/store.ts';

const CHECK_PERIOD_MS = 3_600_000;
const REBUILT = 'it is rebuilt from the chain';

type OnProblem = (message: string, cause?: unknown) => void;

const toText = (damage: FileDamage | undefined): string | undefined =>
  damage && `${damage.file}, byte ${damage.offset}: ${damage.problem}`;

/** An index that no process has open, as it was found. */
export interface FoundIndex {
  /** Its newest block; undefined when it has none, or it can't be read. */
  readonly cursor: Cursor | undefined;
  /** The damage of its files; undefined when there is none. */
  readonly damage: string | undefined;
}

/** Called while the files are checked. */
type OnChecked = (doneBytes: number, totalBytes: number) => void;

/** Checks an index before the chain is opened, and changes nothing. */
export const inspectIndex = async (directory: string, onProgress: OnChecked): Promise<FoundIndex> => {
  const damage = toText(await findFileDamage(directory, { onProgress, isGapless: true }));
  const stored = await readEntry(directory, cursorKey());
  const cursor = stored && decodeCursor(stored);
  return { cursor, damage: damage ?? (stored && !cursor ? 'its cursor has a wrong checksum' : undefined) };
};

/**
 * Opens the index of a directory, and empties it first if it was found damaged. Damage is reported, now and while the
 * index is open.
 */
export const openIndex = async (
  directory: string,
  found: FoundIndex,
  onProblem: OnProblem,
  options?: IndexOptions,
): Promise<IndexStore> => {
  if (found.damage !== undefined) {
    onProblem(`The index is damaged: ${found.damage}; ${REBUILT}`);
    await rm(directory, { recursive: true });
    await mkdir(directory, { mode: 0o700 });
  }
  await removeCutOff(directory);
  const store = await createIndexStore(directory, { assertFreeSpace: assertDiskSpace, syncDirectory }, options);
  store.damage.onFound(({ message }) => onProblem(`${message}; ${REBUILT}`));
  return store;
};

/**
 * Checks the tables of an open index periodically, and reports damage to the store. Returns a function that ends the
 * checks.
 */
export const watchIndexFiles = (
  directory: string,
  { damage }: Pick<IndexStore, 'damage'>,
  onProblem: OnProblem,
  periodMs = CHECK_PERIOD_MS,
): (() => Promise<void>) => {
  let checking = Promise.resolve();
  const check = async (): Promise<void> => {
    try {
      const found = damage.isComplete() ? toText(await findTableDamage(directory)) : undefined;
      if (found !== undefined) damage.report(found);
    } catch (cause) {
      raiseIfMistake(cause);
      onProblem('the files of the index could not be checked', cause);
    }
  };
  const timer = setInterval(() => {
    checking = checking.then(check);
  }, periodMs).unref();
  return () => {
    clearInterval(timer);
    return checking;
  };
};
