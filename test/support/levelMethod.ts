// Watches or breaks one method of all LevelDB databases of this process while a function runs.
import { Level } from 'level';

type Name = '_open' | 'batch' | 'clear' | 'getSync' | 'put';
type LevelMethod = (this: Level, ...args: unknown[]) => Promise<void>;

/** Runs `act` while `replace(method)` replaces the method. */
export const withLevelMethod = async (
  name: Name,
  replace: (original: LevelMethod) => LevelMethod,
  act: () => Promise<unknown>,
): Promise<void> => {
  const methods = Level.prototype as unknown as Record<Name, LevelMethod>;
  const original = methods[name];
  methods[name] = replace(original);
  try {
    await act();
  } finally {
    methods[name] = original;
  }
};

/** A chained batch, which collects operations and then fails. */
const createFailingBatch = (error: Error): object => {
  const batch = { put: () => batch, del: () => batch, write: () => Promise.reject(error) };
  return batch;
};

/** An error of LevelDB when a file can't be written; it has a code, by which the product knows it. */
export const toWriteError = (message: string): Error => Object.assign(new Error(message), { code: 'LEVEL_IO_ERROR' });

/** What LevelDB says on a full disk. */
export const FULL = toWriteError('IO error: 000003.log: No space left on device');

/** Runs `act` while the method fails; `act` must handle or assert the error. */
export const withFailingLevel = (
  name: Name,
  act: () => Promise<unknown>,
  error = toWriteError('the disk does not write'),
): Promise<void> => {
  // Without operations `batch` returns a chained batch at once.
  const fail = (...args: unknown[]): unknown =>
    name === 'batch' && args.length === 0 ? createFailingBatch(error) : Promise.reject(error);
  return withLevelMethod(name, () => fail as LevelMethod, act);
};

export interface WatchedBatch {
  readonly size: number;
  readonly sync: boolean;
}

/** Returns the batches that are written while `act` runs. */
export const watchBatches = async (act: () => Promise<unknown>): Promise<WatchedBatch[]> => {
  const batches: WatchedBatch[] = [];
  const watch = (original: LevelMethod): LevelMethod =>
    function (this: Level, operations, options) {
      const isSynced = (options as { sync?: boolean } | undefined)?.sync === true;
      batches.push({ size: (operations as unknown[]).length, sync: isSynced });
      return original.call(this, operations, options);
    };
  await withLevelMethod('batch', watch, act);
  return batches;
};

/** Returns the sizes of the caches, in bytes, that databases are opened with while `act` runs. */
export const watchCaches = async (act: () => Promise<unknown>): Promise<unknown[]> => {
  const sizes: unknown[] = [];
  const watch = (original: LevelMethod): LevelMethod =>
    function (this: Level, options) {
      sizes.push((options as { cacheSize?: number }).cacheSize);
      return original.call(this, options);
    };
  await withLevelMethod('_open', watch, act);
  return sizes;
};

/** Returns, for each value that is put outside a batch while `act` runs, whether it is synced. */
export const watchPuts = async (act: () => Promise<unknown>): Promise<boolean[]> => {
  const synced: boolean[] = [];
  const watch = (original: LevelMethod): LevelMethod =>
    function (this: Level, key, value, options) {
      synced.push((options as { sync?: boolean } | undefined)?.sync === true);
      return original.call(this, key, value, options);
    };
  await withLevelMethod('put', watch, act);
  return synced;
};

export interface StepwiseBatch {
  readonly length: number;
  write(): Promise<void>;
}

/** Runs `act` while `write` writes the chained batches of LevelDB. */
export const withStepwiseBatches = (
  write: (batch: StepwiseBatch) => Promise<void>,
  act: () => Promise<unknown>,
): Promise<void> =>
  withLevelMethod(
    'batch',
    (original) =>
      function (this: Level, ...args: unknown[]) {
        if (args.length > 0) return original.apply(this, args);
        const batch = original.call(this) as unknown as StepwiseBatch;
        const writeItself = batch.write.bind(batch);
        batch.write = () => write({ length: batch.length, write: writeItself });
        return batch as unknown as Promise<void>;
      },
    act,
  );
