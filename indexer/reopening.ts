// Opens the index's database again after a write that failed. Such a write may leave half a record in LevelDB's log, and what follows it
// there is lost at the next opening, also the one batch that the batches after it build on. Reads go on until there is room to open.
import { LedgerError } from '../ledger/errors.ts';
import type { Damage } from './damage.ts';

export interface Reopening {
  /** Why nothing is written now: a write that failed, or damage. */
  failure(): Error | undefined;
  /** Runs a write. After one that failed all others reject with its error, until `recover`. */
  write(task: () => Promise<void>): Promise<void>;
  /** Counts a reader, who must not find the database closed. Returns what ends that. */
  enter(): () => void;
  /** Must be awaited before `enter` when it is there. Rejects with STORAGE_FULL when the database did not open again. */
  opening(): Promise<void> | undefined;
  /**
   * After a write that failed, or damage: closes the database and opens it. Resolves with whether that was necessary: then its cursor alone says
   * where the index stands. Rejects while there is no room. Must not run twice at once.
   */
  recover(): Promise<boolean>;
}

interface Database {
  open(): Promise<void>;
  close(): Promise<void>;
}

/** A reader that needs another one to end would wait for itself, so this attempt ends then. */
const READERS_WAIT_MS = 1_000;

const createReaders = () => {
  let count = 0;
  let onIdle = (): void => undefined;
  return {
    enter: () => {
      count += 1;
      return () => {
        count -= 1;
        if (count === 0) onIdle();
      };
    },
    idle: (): Promise<void> =>
      new Promise((resolve, reject) => {
        if (count === 0) return resolve();
        const timer = setTimeout(() => reject(new Error('the index is being read')), READERS_WAIT_MS);
        onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
};

export interface ReopeningOptions {
  /** Rejects while the database's disk has no room for opening it. */
  readonly assertFreeSpace: () => Promise<void>;
  readonly damage: Damage;
  /** Removes the files of the database, which is closed. */
  readonly remove: () => Promise<void>;
}

/** Reopening of a database that is open. A damaged one is removed, and begins empty. */
export const createReopening = (db: Database, { assertFreeSpace, damage, remove }: ReopeningOptions): Reopening => {
  const readers = createReaders();
  let failure: Error | undefined;
  let opening: Promise<void> | undefined;
  let isOpen = true;

  const reopen = async (): Promise<void> => {
    if (isOpen) await readers.idle();
    isOpen = false;
    try {
      await db.close();
      if (damage.found() !== undefined) await remove();
      await db.open();
      isOpen = true;
      damage.removed();
    } catch (cause) {
      throw new LedgerError('STORAGE_FULL', { message: 'the index does not open again', cause });
    }
  };

  const refuseReaders = (error: unknown): void => {
    if (!isOpen) throw error;
  };

  const findFailure = (): Error | undefined => failure ?? damage.found();

  return {
    failure: findFailure,
    write: async (task) => {
      const refusal = findFailure();
      if (refusal !== undefined) throw refusal;
      await task().catch((cause: Error) => {
        failure = cause;
        throw cause;
      });
    },
    enter: readers.enter,
    opening: () => opening,
    recover: async () => {
      if (findFailure() === undefined) return false;
      await assertFreeSpace();
      const attempt = reopen();
      opening = attempt.catch(refuseReaders);
      // A reader awaits it; without one its error would be an unhandled rejection.
      opening.catch(() => undefined);
      await attempt.finally(() => {
        if (isOpen) opening = undefined;
      });
      failure = undefined;
      return true;
    },
  };
};
