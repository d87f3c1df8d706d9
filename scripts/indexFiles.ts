// The files of the index are checked in full before it is opened, and once an hour while the server runs: a row that can't be found because its
// key has changed has no checksum that a read could verify.
import { type FileDamage, findFileDamage, findTableDamage } from '../chain/databaseFiles/checkFiles.ts';
import { assertRoomToOpen } from '../chain/diskSpace.ts';
import { createIndexStore, type IndexStore } from '../indexer/store.ts';

const CHECK_PERIOD_MS = 3_600_000;
const REBUILT = 'it is rebuilt from the chain';

type OnProblem = (message: string, cause?: unknown) => void;

const toText = (damage: FileDamage | undefined): string | undefined =>
  damage && `${damage.file}, byte ${damage.offset}: ${damage.problem}`;

/** Opens the index of a directory; damage is reported. */
export const openIndex = async (directory: string, onProblem: OnProblem): Promise<IndexStore> => {
  const findDamage = async (path: string): Promise<string | undefined> => toText(await findFileDamage(path));
  const store = await createIndexStore(directory, { assertRoom: assertRoomToOpen, findDamage });
  const report = ({ message }: Error): void => onProblem(`${message}; ${REBUILT}`);
  const found = store.damage.found();
  if (found !== undefined) report(found);
  store.damage.onFound(report);
  return store;
};

/** Checks the tables of an open index from time to time; damage is noted in the store. Returns what ends that. */
export const watchIndexFiles = (
  directory: string,
  { damage }: Pick<IndexStore, 'damage'>,
  onProblem: OnProblem,
  periodMs = CHECK_PERIOD_MS,
): (() => Promise<void>) => {
  let checking = Promise.resolve();
  const check = async (): Promise<void> => {
    try {
      const found = damage.isWhole() ? toText(await findTableDamage(directory)) : undefined;
      if (found !== undefined) damage.report(found);
    } catch (cause) {
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
