// The program of a thread that reads pages of lists from the index that the main thread has open.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { answerDelegated } from '../../indexer/reads/encodedReads.ts';
import { openSharedIndex } from '../../indexer/sharedIndex.ts';
import { type FromReadThread, type ToReadThread, toFailure, toOwnBuffer } from './readMessages.ts';

const serve = async (port: MessagePort, directory: string): Promise<void> => {
  const index = await openSharedIndex(directory);
  const reading = new Set<Promise<void>>();
  const answer = async ({ id, read }: Exclude<ToReadThread, 'end'>): Promise<void> => {
    try {
      const page = toOwnBuffer(await answerDelegated(index, read));
      port.postMessage({ id, page } satisfies FromReadThread, [page.json.buffer as ArrayBuffer]);
    } catch (error) {
      port.postMessage({ id, failure: toFailure(error) } satisfies FromReadThread);
    }
  };
  const end = async (): Promise<void> => {
    await Promise.all(reading);
    await index.close();
    port.close();
  };
  port.on('message', (message: ToReadThread) => {
    if (message === 'end') {
      void end();
      return;
    }
    const one = answer(message).finally(() => reading.delete(one));
    reading.add(one);
  });
  port.postMessage('open' satisfies FromReadThread);
};

if (parentPort !== null) await serve(parentPort, workerData as string);
