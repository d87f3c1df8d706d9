// One thread that reads pages of lists.
import { Worker } from 'node:worker_threads';
import type { EncodedPage } from '../../indexer/ledgerView.ts';
import { type DelegatedRead, toRecords } from '../../indexer/reads/encodedReads.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toErrorMessage } from '../watching/errorText.ts';
import { type FromReadThread, type ToReadThread, toReadError } from './readMessages.ts';

/** A thread with a handle of the index. */
export interface ReadThread {
  /** How many reads it may still take; 0 until its handle is open, and after `end`. */
  free(): number;
  /** Records that its reads in progress may have. */
  records(): number;
  /** Rejects when the read fails, or the thread ends. */
  read(delegated: DelegatedRead): Promise<EncodedPage>;
  /** Ends the thread after the reads in progress. Resolves when it has ended, and its handle is closed. */
  end(): Promise<void>;
}

/** What a thread is started with. */
export interface ReadThreadOptions {
  /** Directory of the index, which this thread has open. */
  readonly directory: string;
  /** Called when it ends without `end`. */
  readonly onFailure: (cause: Error) => void;
  /** Called when a read failed, unless it refused or found damage. */
  readonly onReadFailure: (cause: Error) => void;
  /** Its module. */
  readonly program: URL;
}

/** Reads of one thread at a time: more would wait longer than the main thread needs for them. */
const READS_MAX = 64;
/** How long `end` waits for reads in progress; then they reject. */
const END_WAIT_MS = 2_000;

interface Reading {
  readonly answer: PromiseWithResolvers<EncodedPage>;
  readonly records: number;
}

/** Starts a thread. */
export const startReadThread = (options: ReadThreadOptions): ReadThread => {
  const thread = new Worker(options.program, { workerData: options.directory });
  const waiting = new Map<number, Reading>();
  const ended = Promise.withResolvers<void>();
  let isOpen = false;
  let isEnding = false;
  let failure: Error | undefined;
  let lastId = 0;
  let recordsInProgress = 0;
  const post = (message: ToReadThread): void => thread.postMessage(message);
  const take = (id: number): PromiseWithResolvers<EncodedPage> => {
    const { answer, records } = waiting.get(id)!;
    waiting.delete(id);
    recordsInProgress -= records;
    return answer;
  };
  const fail = (id: number, error: Error): void => {
    take(id).reject(error);
    if (!(error instanceof LedgerError)) options.onReadFailure(error);
  };
  thread.on('message', (message: FromReadThread) => {
    if (message === 'open') isOpen = true;
    else if ('page' in message) take(message.id).resolve(message.page);
    else fail(message.id, toReadError(message.failure));
  });
  thread.on('error', (cause) => {
    failure = new Error(`a thread that reads lists has failed: ${toErrorMessage(cause)}`, { cause });
  });
  // It follows an error, too, when the thread's handle is closed.
  thread.on('exit', (code) => {
    isOpen = false;
    const cause = failure ?? new Error(`a thread that reads lists has ended with code ${code}`);
    for (const id of [...waiting.keys()]) take(id).reject(cause);
    ended.resolve();
    if (!isEnding) options.onFailure(cause);
  });
  return {
    free: () => (isOpen && !isEnding ? READS_MAX - waiting.size : 0),
    records: () => recordsInProgress,
    read: (read) => {
      lastId += 1;
      const id = lastId;
      post({ id, read });
      const answer = Promise.withResolvers<EncodedPage>();
      const records = toRecords(read);
      waiting.set(id, { answer, records });
      recordsInProgress += records;
      return answer.promise;
    },
    end: async () => {
      isEnding = true;
      post('end');
      const timer = setTimeout(() => void thread.terminate(), END_WAIT_MS);
      await ended.promise;
      clearTimeout(timer);
    },
  };
};
