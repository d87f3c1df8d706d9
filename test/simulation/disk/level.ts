// `level` on a simulated disk, for what the project uses of it: the interface is abstract-level's, the files are
// LevelDB's. All rows are in memory, too.
import { AbstractLevel, type AbstractSnapshot } from 'abstract-level';
import { describeWrite } from '../story/describeWrite.ts';
import { currentProcess, perform } from '../world/processes.ts';
import { theWorld } from '../world/world.ts';
import type { Disk } from './disk.ts';
import type { BatchOperation, StoredOperation } from './leveldb/batch.ts';
import { type CurrentLog, createCurrentLog, type LogChanges } from './leveldb/currentLog.ts';
import { findNumberedFiles } from './leveldb/fileNames.ts';
import {
  type LevelBatchOperation,
  type LevelOptions,
  toBytes,
  toOperation,
  toOutput,
  toRange,
} from './leveldb/formats.ts';
import { LevelIterator } from './leveldb/iterator.ts';
import { isLocked, lock } from './leveldb/lock.ts';
import { hasDatabase, type OpenedDatabase, openDatabase } from './leveldb/openDatabase.ts';
import { applyOperations, findRange, findValue, type Rows, toName } from './leveldb/rows.ts';
import { LevelSnapshot } from './leveldb/snapshot.ts';
import { asLevel, createLevelError } from './leveldb/steps.ts';
import { createWriteQueue, type WriteQueue } from './leveldb/writeQueue.ts';
import { diskOf } from './mounts.ts';

interface OpenOptions {
  readonly createIfMissing: boolean;
  readonly errorIfExists: boolean;
}

interface ReadOptions extends LevelOptions {
  readonly snapshot?: AbstractSnapshot;
}

/** What an open database has. */
interface OpenState {
  readonly queue: WriteQueue;
  readonly log: CurrentLog;
  readonly unlock: () => void;
  rows: Rows;
}

const MANIFEST = {
  encodings: { buffer: true, utf8: true, view: true },
  has: true,
  createIfMissing: true,
  errorIfExists: true,
  explicitSnapshots: true,
  getSync: true,
};
const READ_MS: readonly [number, number] = [0, 1];
const CLEAR_BYTES = 16 * 1_024;

/** Sizes of a write buffer that a database sets: the real ones have megabytes, more than a simulated run writes. */
const BUFFER_BYTES: readonly number[] = [1_024, 2_048, 8_192];
const TABLE_MS_MAX: readonly number[] = [1, 50, 500];

// The same for each database: none is open during all of a run's writes.
const drawLogChanges = (): LogChanges => {
  const random = theWorld().stream('write buffers');
  return { bufferBytes: random.pick(BUFFER_BYTES), tableMs: [0, random.pick(TABLE_MS_MAX)] };
};

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

const assertLocation = (location: unknown): void => {
  if (typeof location === 'string' && location !== '') return;
  throw new TypeError("The first argument 'location' must be a non-empty string");
};

/** A LevelDB database in a directory of a simulated disk. It belongs to the process that created it. */
export class Level<KDefault = string, VDefault = string> extends AbstractLevel<
  string | Buffer | Uint8Array,
  KDefault,
  VDefault
> {
  readonly location: string;
  readonly #disk: Disk;
  readonly #owner = currentProcess();
  readonly #powerFailures: number;
  #state: OpenState | undefined;

  constructor(location: string, options?: object) {
    assertLocation(location);
    super(MANIFEST, options);
    this.location = location;
    this.#disk = diskOf(location);
    this.#powerFailures = this.#disk.powerFailures;
  }

  /** Deletes the database of a directory, which no process may have open. */
  static async destroy(location: string): Promise<void> {
    assertLocation(location);
    await perform({
      what: () => `destroy ${location}`,
      delayMs: READ_MS,
      changes: true,
      effect: () => destroyDatabase(diskOf(location), location),
    });
  }

  // The calls of a process that has ended are never answered.
  get #isDead(): boolean {
    return this.#owner?.isAlive() === false || this.#disk.powerFailures !== this.#powerFailures;
  }

  #perform<T>(what: string, effect: () => T): Promise<T> {
    if (this.#isDead) return never();
    return perform({ what: () => `${what} ${this.location}`, delayMs: READ_MS, changes: false, effect });
  }

  async _open(options: OpenOptions): Promise<void> {
    if (this.#isDead) return never();
    const { createIfMissing, errorIfExists } = options;
    const place = { disk: this.#disk, directory: this.location };
    const unlock = await lock(place, this.#owner, createIfMissing);
    try {
      const reason = refuseOpen(hasDatabase(place), createIfMissing, errorIfExists);
      if (reason !== undefined) throw createLevelError(`Invalid argument: ${this.location}: ${reason}`);
      this.#state = this.#createState(await openDatabase(place), drawLogChanges(), unlock);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  #createState(opened: OpenedDatabase, changes: LogChanges, unlock: () => void): OpenState {
    const log = createCurrentLog(opened, changes);
    const logPath = (): string => `${this.location}/${log.file().name}`;
    const queue = createWriteQueue({
      logName: logPath,
      lastSequence: opened.lastSequence,
      prepare: log.prepare,
      writeRecord: (record) => asLevel(logPath(), () => log.file().writeRecord(record)),
      sync: () => asLevel(logPath(), () => this.#disk.sync(log.file().file)),
      apply: (operations: readonly StoredOperation[]) => {
        this.#note(state.rows, operations);
        log.note(operations);
        state.rows = applyOperations(state.rows, operations);
      },
    });
    const state: OpenState = { queue, log, unlock, rows: opened.rows };
    return state;
  }

  #note(rows: Rows, operations: readonly StoredOperation[]): void {
    if (this.#owner === undefined) return;
    theWorld().note(this.#owner.name, () => describeWrite(this.location, { rows, operations }));
  }

  async _close(): Promise<void> {
    const { queue, log, unlock } = this.#state!;
    if (this.#isDead) return never();
    await queue.whenIdle();
    await log.close();
    await this.#perform('close', unlock);
  }

  #rowsFor({ snapshot }: ReadOptions): Rows {
    return snapshot === undefined ? this.#state!.rows : (snapshot as LevelSnapshot).rows;
  }

  #write(operations: readonly BatchOperation[], { sync = false }: { sync?: boolean }): Promise<void> {
    return this.#isDead ? never() : this.#state!.queue.write(operations, sync);
  }

  _getSync(key: string | Uint8Array, options: ReadOptions): string | Uint8Array | undefined {
    return toOutput(findValue(this.#rowsFor(options), toName(toBytes(key))), options.valueEncoding);
  }

  _get(key: string | Uint8Array, options: ReadOptions): Promise<string | Uint8Array | undefined> {
    return this.#perform('read from', () => this._getSync(key, options));
  }

  _getMany(keys: (string | Uint8Array)[], options: ReadOptions): Promise<(string | Uint8Array | undefined)[]> {
    return this.#perform('read from', () => keys.map((key) => this._getSync(key, options)));
  }

  _has(key: string | Uint8Array, options: ReadOptions): Promise<boolean> {
    return this.#perform('read from', () => this._getSync(key, options) !== undefined);
  }

  _hasMany(keys: (string | Uint8Array)[], options: ReadOptions): Promise<boolean[]> {
    return this.#perform('read from', () => keys.map((key) => this._getSync(key, options) !== undefined));
  }

  _put(key: string | Uint8Array, value: string | Uint8Array, options: { sync?: boolean }): Promise<void> {
    return this.#write([{ key: toBytes(key), value: toBytes(value) }], options);
  }

  _del(key: string | Uint8Array, options: { sync?: boolean }): Promise<void> {
    return this.#write([{ key: toBytes(key), value: undefined }], options);
  }

  _batch(operations: LevelBatchOperation[], options: { sync?: boolean }): Promise<void> {
    return operations.length === 0 ? Promise.resolve() : this.#write(operations.map(toOperation), options);
  }

  async _clear(options: ReadOptions & { reverse: boolean; limit: number }): Promise<void> {
    const rows = this.#rowsFor(options);
    const { from, to } = findRange(rows, toRange(options));
    const keys = rows.slice(from, to).map(({ key }) => ({ key, value: undefined }));
    if (options.reverse) keys.reverse();
    const left = options.limit < 0 ? keys : keys.slice(0, options.limit);
    while (left.length > 0) {
      let bytes = 0;
      const end = left.findIndex(({ key }) => {
        bytes += key.length;
        return bytes > CLEAR_BYTES;
      });
      await this.#write(left.splice(0, end < 0 ? left.length : end + 1), {});
    }
  }

  _iterator(options: ReadOptions & ConstructorParameters<typeof LevelIterator>[2]): LevelIterator {
    return new LevelIterator(this, this.#rowsFor(options), options, (effect) => this.#perform('read from', effect));
  }

  _snapshot(options: object): LevelSnapshot {
    return new LevelSnapshot(this.#state!.rows, options);
  }
}

const refuseOpen = (isThere: boolean, createIfMissing: boolean, errorIfExists: boolean): string | undefined => {
  if (isThere) return errorIfExists ? 'exists (error_if_exists is true)' : undefined;
  return createIfMissing ? undefined : 'does not exist (create_if_missing is false)';
};

const destroyDatabase = (disk: Disk, directory: string): void => {
  if (disk.find(directory) === undefined) return;
  const lockPath = `${directory}/LOCK`;
  if (isLocked(disk, lockPath)) {
    throw createLevelError(`IO error: lock ${lockPath}: already held by process`, 'LEVEL_LOCKED');
  }
  const names = disk.readDirectory(directory);
  const numbered = findNumberedFiles(names).map(({ name }) => name);
  for (const name of [...numbered, ...names.filter((found) => found === 'CURRENT' || found === 'LOCK')]) {
    disk.unlink(`${directory}/${name}`);
  }
  if (disk.readDirectory(directory).length === 0) disk.removeDirectory(directory);
};
