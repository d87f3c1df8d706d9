// Single rows as reads show them: those of a batch from the moment that it is projected. LevelDB writes it in the
// background, one batch at a time; until then its rows are in memory. A failed write leaves them there, and they are
// written again when the database has been reopened: so no row that was shown disappears.
import { setImmediate } from 'node:timers/promises';
import type { Damage } from './damage.ts';
import { forEachInTurns } from './inTurns.ts';
import { createKeptRows, type KeptRows, type StoredRow } from './keptRows.ts';
import { toKeyName } from './keys.ts';
import { refuseRead } from './reopening.ts';
import type { Cursor, Row, Write } from './rows/rows.ts';

/** Rows of one index. */
export interface ShownRows {
  /** The newest row under a key. */
  read(key: Buffer): Row | undefined;
  /** A number that changes with each change of a row. */
  version(): number;
  /**
   * Shows the writes and moves the cursor. Resolves when reads show them; LevelDB writes them afterwards, in one atomic
   * batch. Waits for the batch before, and rejects with the error of a failed write until it is written again.
   */
  apply(writes: readonly Write[], cursor: Cursor): Promise<void>;
  /** Calls a function after each `apply`, when reads show its rows. Returns the function that ends this. */
  watch(onApplied: () => void): () => void;
  /** Resolves when LevelDB has all rows that are shown now. Rejects with STORAGE_FULL after a failed write. */
  written(): Promise<void>;
  /** Writes the batch of a failed write again, after a reopening. Rejects with the error of a failed write. */
  resume(): Promise<void>;
  /** Forgets all rows. */
  clear(): void;
}

/** The stored rows below. */
export interface ShownRowsOptions {
  readonly readStored: (key: Buffer) => StoredRow;
  readonly readCursor: () => Cursor | undefined;
  /** Writes a batch. Resolves with the stored bytes of each write. */
  readonly write: (writes: readonly Write[], cursor: Cursor) => Promise<readonly number[]>;
  /** Why writes are refused; undefined if they are accepted. */
  readonly failure: () => Error | undefined;
  readonly damage: Pick<Damage, 'report'>;
}

/** A batch that LevelDB doesn't have yet. */
interface Batch {
  readonly writes: readonly Write[];
  /** The name of the key of each write. */
  readonly names: readonly string[];
  readonly rows: ReadonlyMap<string, Row | undefined>;
  readonly cursor: Cursor;
  /** The stored cursor on which the batch builds. */
  readonly before: Cursor | undefined;
}

/** Writes that are named, or kept, in one turn of the event loop: some 5 ms of work. */
const WRITES_TOGETHER = 4_096;

const toNamed = async (writes: readonly Write[]): Promise<Pick<Batch, 'writes' | 'names' | 'rows'>> => {
  const names: string[] = [];
  const rows = new Map<string, Row | undefined>();
  await forEachInTurns(writes, WRITES_TOGETHER, ({ key, value }) => {
    const name = toKeyName(key);
    names.push(name);
    rows.set(name, value);
  });
  return { writes, names, rows };
};

const isSame = (one: Cursor | undefined, other: Cursor | undefined): boolean =>
  one?.blockNumber === other?.blockNumber && one?.blockHash === other?.blockHash;

const createWatchers = () => {
  const watchers = new Set<() => void>();
  return {
    add: (onApplied: () => void): (() => void) => {
      // Two calls with the same function are two watches.
      const watcher = (): void => onApplied();
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    call: (): void => {
      for (const onApplied of watchers) onApplied();
    },
  };
};

// Replaces the kept rows of a batch that is stored, until it isn't current.
const replaceAll = (
  kept: Pick<KeptRows, 'replace'>,
  { writes, names }: Batch,
  bytes: readonly number[],
  isCurrent: () => boolean,
): Promise<void> =>
  forEachInTurns(names, WRITES_TOGETHER, (name, at) => {
    if (isCurrent()) kept.replace(name, { row: writes[at]!.value, bytes: bytes[at]! });
  });

/** Shows the rows of an open database. */
export const createShownRows = (options: ShownRowsOptions): ShownRows => {
  const { readStored, readCursor, failure, damage } = options;
  const kept = createKeptRows();
  const watchers = createWatchers();
  let version = 0;
  let unwritten: Batch | undefined;
  let newest: Cursor | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async (batch: Batch): Promise<void> => {
    // Who waits for the rows goes on first: encoding them takes a quarter as long as projecting them.
    await setImmediate();
    const bytes = await options.write(batch.writes, batch.cursor);
    // Until all are replaced, reads show the rows of the batch.
    await replaceAll(kept, batch, bytes, () => unwritten === batch);
    if (unwritten === batch) unwritten = undefined;
  };
  const start = (batch: Batch): void => {
    unwritten = batch;
    newest = batch.cursor;
    writing = write(batch);
    // The next call awaits `writing` and rejects; until then the rejection must not count as unhandled.
    writing.catch(() => undefined);
  };
  const clear = (): void => {
    version += 1;
    unwritten = undefined;
    newest = undefined;
    writing = Promise.resolve();
    kept.clear();
  };

  return {
    read: (key) => {
      const name = toKeyName(key);
      return unwritten?.rows.has(name) ? unwritten.rows.get(name) : kept.read(name, key, readStored);
    },
    version: () => version,
    apply: async (writes, cursor) => {
      await writing;
      const named = await toNamed(writes);
      const refusal = failure();
      if (refusal !== undefined) throw refusal;
      version += 1;
      start({ ...named, cursor, before: newest ?? readCursor() });
      watchers.call();
    },
    watch: watchers.add,
    written: () =>
      writing.catch((cause: unknown) => {
        throw refuseRead('the index could not be written', cause);
      }),
    resume: async () => {
      const batch = unwritten;
      const stored = readCursor();
      const isContinued = isSame(stored, batch?.before) || isSame(stored, batch?.cursor);
      if (batch === undefined || !isContinued) clear();
      if (batch === undefined) return;
      if (isContinued) {
        start(batch);
        await writing;
      } else if (stored !== undefined) {
        // A removed index has no cursor.
        damage.report('its cursor is not that of the last write');
      }
    },
    clear,
  };
};
