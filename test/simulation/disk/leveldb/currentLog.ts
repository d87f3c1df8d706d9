// The log of an open database. As in LevelDB, another log is begun when the operations in it fill a write buffer. They
// are written to a table in the background, and then the log is removed. LevelDB doesn't sync a log when it begins the
// next one.
import type { StoredOperation } from './batch.ts';
import { toLogName } from './fileNames.ts';
import { encodeState } from './manifest.ts';
import type { OpenedDatabase, RecordFile } from './openDatabase.ts';
import { toName } from './rows.ts';
import { appendTo, createSteps } from './steps.ts';
import { writeTable } from './writeTable.ts';

/** How a database changes its log while it is open. */
export interface LogChanges {
  /** Bytes of keys and values in a log after which the next one is begun. */
  readonly bufferBytes: number;
  /** The least and the most milliseconds until a table is written. */
  readonly tableMs: readonly [number, number];
}

/** The log that an open database writes to. */
export interface CurrentLog {
  /** The log now. */
  file(): RecordFile;
  /**
   * Begins another log when this one is full; waits while the one before it isn't in a table yet. Rejects with
   * LevelDB's error: of the new log, or of a table that could not be written.
   */
  prepare(lastSequence: number): Promise<void>;
  /** Notes operations that were written. */
  note(operations: readonly StoredOperation[]): void;
  /** Resolves when nothing is written any more. The operations of a full log may be in no table then. */
  close(): Promise<void>;
}

type Buffered = Map<string, StoredOperation>;

const toSorted = (buffered: Buffered): StoredOperation[] =>
  [...buffered].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, operation]) => operation);

/** The log of a database that was opened. */
export const createCurrentLog = (opened: OpenedDatabase, { bufferBytes, tableMs }: LogChanges): CurrentLog => {
  const { place, manifest } = opened;
  const { disk } = place;
  const steps = createSteps(place);
  let { log, nextFile } = opened;
  let buffered: Buffered = new Map();
  let bytes = 0;
  let isClosing = false;
  let writing: Promise<void> | undefined;
  let failure: { error: unknown } | undefined;

  const moveToTable = async (full: Buffered, name: string, logNumber: number, sequence: number): Promise<void> => {
    const number = nextFile++;
    const table = await writeTable(place, steps, { number, entries: toSorted(full), sequence, delayMs: tableMs });
    if (isClosing) return;
    const state = { logNumber, nextFile, lastSequence: sequence, tables: [table] };
    await steps.append(manifest.name, () => manifest.writeRecord(encodeState(state, false)));
    await steps.syncDirectory();
    await steps.sync(manifest.name, manifest.file);
    await steps.remove(name);
  };
  const begin = async (lastSequence: number): Promise<void> => {
    const number = nextFile;
    const name = toLogName(number);
    const file = await steps.create(name);
    nextFile += 1;
    disk.close(log.file);
    writing = moveToTable(buffered, log.name, number, lastSequence).catch((error: unknown) => {
      failure = { error };
    });
    log = { name, file, writeRecord: appendTo(disk, file) };
    buffered = new Map();
    bytes = 0;
  };
  return {
    file: () => log,
    prepare: async (lastSequence) => {
      if (bytes > bufferBytes) await writing;
      if (failure !== undefined) throw failure.error;
      if (bytes > bufferBytes) await begin(lastSequence);
    },
    note: (operations) => {
      for (const operation of operations) {
        buffered.set(toName(operation.key), operation);
        bytes += operation.key.length + (operation.value?.length ?? 0);
      }
    },
    close: async () => {
      isClosing = true;
      await writing;
      for (const { file } of [log, manifest]) disk.close(file);
    },
  };
};
