// Reopens the index's database after a failed write. Such a write may leave half a record in LevelDB's log, and
// everything after it in the log is lost at the next opening, even a batch on which later batches build. Reads continue
// until there is enough free space to reopen.
import { LedgerError } from '../ledger/errors.ts';
import type { Damage } from './damage.ts';

/** Coordinates the readers, the writes and the reopening of a database. */
export interface Reopening {
  /** Why writes are refused: a failed write, or damage. Undefined if they are accepted. */
  failure(): Error | undefined;
  /** Runs a write. After a failed write, all others reject with its error until `recover`. */
  write(task: () => Promise<void>): Promise<void>;
  /** Registers a reader, for which the database must stay open. Returns the function that ends the read. */
  enter(): () => void;
  /**
   * The reopening in progress, to await before `enter`. Rejects with STORAGE_FULL if the database could not be
   * reopened.
   */
  opening(): Promise<void> | undefined;
  /**
   * Closes and opens the database if a write failed or damage was found. Resolves to whether that was necessary; if so,
   * only the stored cursor states how far the index is. Rejects while there is too little free space. Must not be
   * called while a call is in progress.
   */
  recover(): Promise<boolean>;
}

interface ReopenableDatabase {
  open(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds after which a refused read may be repeated: an attempt to reopen the database follows each second. */
const RETRY_AFTER_MS = 1_000;

/** The error of a read that needs rows which the disk refuses to write. */
export const refuseRead = (message: string, cause: unknown): LedgerError =>
  new LedgerError('STORAGE_FULL', { message, cause, retryAfterMs: RETRY_AFTER_MS });

/**
 * How long an attempt waits for readers. A reader that waits for the reopening would otherwise block it indefinitely.
 */
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
        const timer = setTimeout(
          () => reject(new LedgerError('INDEX_REBUILDING', { message: 'the index is being read' })),
          READERS_WAIT_MS,
        );
        onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
};

/** What a reopening needs besides the database. */
export interface ReopeningOptions {
  /** Rejects while the database's disk has too little free space to open it. */
  readonly assertFreeSpace: () => Promise<void>;
  /** Resolves when the names of the database's files are on the disk. */
  readonly syncNames: () => Promise<void>;
  readonly damage: Damage;
  /** Deletes the files of the closed database. */
  readonly remove: () => Promise<void>;
}

/** Creates the coordination for an open database. A damaged database is deleted and starts empty. */
export const createReopening = (
  db: ReopenableDatabase,
  { assertFreeSpace, syncNames, damage, remove }: ReopeningOptions,
): Reopening => {
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
      await syncNames();
      isOpen = true;
      damage.removed();
    } catch (cause) {
      throw refuseRead('the index could not be reopened', cause);
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
      // Readers await it; without a reader its error would be an unhandled rejection.
      opening.catch(() => undefined);
      await attempt.finally(() => {
        if (isOpen) opening = undefined;
      });
      failure = undefined;
      return true;
    },
  };
};
