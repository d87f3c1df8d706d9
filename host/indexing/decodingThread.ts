// Starts the thread that decodes logs while the index catches up with many blocks.
import { Worker } from 'node:worker_threads';
import {
  buffersOf,
  decodeRecords,
  encodeLogs,
  type RecordsMessage,
} from '../../indexer/projection/decodingMessages.ts';
import type { LogDecoder } from '../../indexer/projection/logDecoder.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toErrorMessage } from '../watching/errorText.ts';

const PROGRAM = new URL('./decodingProgram.ts', import.meta.url);

// The next run starts another thread.
const toFailure = (message: string, cause?: unknown): LedgerError =>
  new LedgerError('INDEX_REBUILDING', { message, cause });

/**
 * Starts a thread that decodes logs. If it fails or ends, the calls in progress and all later ones reject. `program`:
 * its module.
 */
export const startDecodingThread = (program = PROGRAM): LogDecoder => {
  const thread = new Worker(program);
  const waiting: PromiseWithResolvers<RecordsMessage>[] = [];
  let failure: Error | undefined;
  const fail = (cause: Error): void => {
    failure ??= cause;
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  thread.on('message', (message: RecordsMessage) => waiting.shift()?.resolve(message));
  thread.on('messageerror', fail);
  thread.on('error', (cause) =>
    fail(toFailure(`the thread that decodes logs has failed: ${toErrorMessage(cause)}`, cause)),
  );
  thread.on('exit', (code) => fail(toFailure(`the thread that decodes logs has ended with code ${code}`)));
  return {
    decode: async (logs, domain) => {
      if (failure !== undefined) throw failure;
      const answer = Promise.withResolvers<RecordsMessage>();
      waiting.push(answer);
      const message = encodeLogs(logs, domain);
      thread.postMessage(message, buffersOf(message));
      return decodeRecords(await answer.promise, logs);
    },
    close: async () => {
      await thread.terminate();
    },
  };
};
