// Runs files of tests in several processes at once. Unlike mocha's --parallel (ADR 9) it tells each test at once, gives
// no further file to a process in which a test ran into its limit, and goes on when a process hangs or dies.
import { CONTRACTS, createContractsWorker } from './contracts.ts';
import type { FileProgress, FileResult } from './fileResult.ts';
import { createTestWorker, type RunOptions, type TestWorker } from './testWorker.ts';

/** Runs files once. */
export interface Pool {
  /** What runs now. */
  running(): readonly FileProgress[];
  /** Resolves when every file has ended. */
  run(): Promise<void>;
  /** Kills every process with what it started. */
  close(): Promise<void>;
}

/**
 * Creates a pool.
 * @param files in the order in which they start; those of the contract run beside the others
 * @param jobs how many processes run at once
 */
export const createPool = (
  files: readonly string[],
  jobs: number,
  options: RunOptions & { readonly onFile: (result: FileResult) => void },
): Pool => {
  const workers = new Set<TestWorker>();
  const running = new Set<FileProgress>();
  let isClosed = false;
  // What a worker says while it is closed is about its end, and not about a test.
  const workerOptions: RunOptions = {
    ...options,
    onTest: () => {
      if (!isClosed) options.onTest();
    },
    onFailure: (failure) => {
      if (!isClosed) options.onFailure(failure);
    },
  };

  const work = async (worker: TestWorker, queue: string[]): Promise<void> => {
    workers.add(worker);
    for (let file = queue.shift(); file !== undefined && !isClosed; file = queue.shift()) {
      let progress: FileProgress | undefined;
      const result = await worker.run(file, (begun) => {
        progress = begun;
        running.add(begun);
      });
      running.delete(progress!);
      if (!isClosed) options.onFile(result);
    }
    await worker.close();
  };

  return {
    running: () => [...running],
    run: async () => {
      const contracts = files.filter((file) => file.startsWith(CONTRACTS));
      const queue = files.filter((file) => !file.startsWith(CONTRACTS));
      const places = Array.from({ length: Math.min(jobs, queue.length) }, () => createTestWorker(workerOptions));
      const beside = contracts.length === 0 ? [] : [work(createContractsWorker(workerOptions), [contracts.join(' ')])];
      await Promise.all([...beside, ...places.map((worker) => work(worker, queue))]);
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...workers].map((worker) => worker.close()));
    },
  };
};
