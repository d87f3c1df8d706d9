// The threads that read pages of lists, while the main thread answers everything else. What they can't take, and a
// short page while they read long ones, the main thread reads itself, so nothing depends on them but the time that
// other requests wait.
import { toRecords } from '../../indexer/reads/encodedReads.ts';
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

/** A read of so few records needs less time on the main thread than behind many others in a thread. */
const FEW_RECORDS = 20;
const MANY_RECORDS = 200;

const hasMoreFree = (one: ReadThread, other: ReadThread): boolean =>
  one.free() > 0 && (other.free() === 0 || one.records() < other.records());

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
      const isQuickerHere = thread.records() >= MANY_RECORDS && toRecords(delegated) <= FEW_RECORDS;
      return thread.free() === 0 || isQuickerHere ? undefined : thread.read(delegated);
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
