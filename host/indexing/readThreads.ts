// The threads that read pages of lists, while the main thread answers everything else. What they can't take, the main
// thread reads itself, so nothing depends on them but the time that other requests wait.
import type { LedgerOptions, ReadThreads, StartReadPool } from '../ledgerOptions.ts';
import { type ReadThread, startReadThread } from './readThread.ts';

/** Pause before a thread that failed is replaced. */
const RESTART_MS = 1_000;
const PROGRAM = new URL('./readProgram.ts', import.meta.url);

interface ReadThreadsOptions {
  readonly directory: string;
  readonly count: number;
  readonly onProblem: LedgerOptions['onProblem'];
  /** The module of each thread. */
  readonly program?: URL;
}

const hasMoreFree = (one: ReadThread, other: ReadThread): boolean => one.free() > other.free();

/** Creates a pool without threads; `open` starts them. */
export const createReadThreads = (options: ReadThreadsOptions): ReadThreads => {
  const { directory, count, onProblem, program = PROGRAM } = options;
  const threads = new Set<ReadThread>();
  const restarts = new Set<NodeJS.Timeout>();
  const start = (): void => {
    const thread = startReadThread({
      directory,
      program,
      onFailure: (cause) => {
        threads.delete(thread);
        onProblem('a thread that reads lists is started again', cause);
        restartLater();
      },
      onReadFailure: (cause) => onProblem('a list is read on the main thread, because another one failed', cause),
    });
    threads.add(thread);
  };
  const restartLater = (): void => {
    const timer = setTimeout(() => {
      restarts.delete(timer);
      start();
    }, RESTART_MS).unref();
    restarts.add(timer);
  };
  return {
    read: (delegated) => {
      const [first, ...others] = threads;
      if (first === undefined) return undefined;
      const thread = others.reduce((most, each) => (hasMoreFree(each, most) ? each : most), first);
      return thread.free() > 0 ? thread.read(delegated) : undefined;
    },
    open: () => {
      while (threads.size < count) start();
    },
    close: async () => {
      for (const timer of restarts) clearTimeout(timer);
      restarts.clear();
      await Promise.all([...threads].map((thread) => thread.end()));
      threads.clear();
    },
  };
};

/** What starts so many threads for a ledger; undefined for none. */
export const toStartReadPool = (count: number): StartReadPool | undefined =>
  count === 0 ? undefined : (directory, onProblem) => createReadThreads({ directory, count, onProblem });
