// Reads the rest of a body that was refused, so that a client that is still sending can read the answer.
import { finished, type Readable } from 'node:stream';

/** Bytes of a body that are read and discarded, where no larger body is allowed. */
export const DRAINED_BYTES = 16 * 1024 * 1024;

/** Reads and discards a body until its end, `bytesMax` or the signal. Resolves with whether the body ended. */
export const drain = (body: Readable, bytesMax: number, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    let bytes = 0;
    const finish = (isComplete: boolean): void => {
      stopWatching();
      signal.removeEventListener('abort', abort);
      body.off('data', count).pause();
      resolve(isComplete);
    };
    const abort = (): void => finish(false);
    const count = (chunk: Uint8Array): void => {
      bytes += chunk.length;
      if (bytes > bytesMax) finish(false);
    };
    const stopWatching = finished(body, { writable: false }, (error) => finish(!error));
    signal.addEventListener('abort', abort);
    body.on('data', count).resume();
    if (signal.aborted) abort();
  });
