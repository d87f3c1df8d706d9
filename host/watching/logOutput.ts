// Writes the lines of a log to a file descriptor in the background, and never waits for its reader. What can't be
// written is dropped: beyond a bound while the reader is slow, and at once where there is no reader, or no space.
import { write } from 'node:fs';

/** A log's output. */
export interface LogOutput {
  /** Takes text of complete lines. Never throws. */
  write(text: string): void;
  /** Resolves when everything that was taken is written or dropped; after `CLOSE_MS_MAX` the rest is dropped. */
  close(): Promise<void>;
}

/** Pause before a reader that takes nothing now is tried again. */
const RETRY_MS = 20;
/** How long `close` waits for a slow reader. */
const CLOSE_MS_MAX = 2_000;
const PART_LENGTH_MAX = 65_536;
const BUSY = ['EAGAIN', 'EBUSY'];

/** Opens the output. Text of more than `lengthMax` characters doesn't wait. */
export const createLogOutput = (fd: number, lengthMax: number): LogOutput => {
  let waiting = '';
  let isWriting = false;
  let isCut = false;
  let onIdle: () => void = () => undefined;

  const writeNext = (): void => {
    isWriting = waiting !== '';
    if (!isWriting) {
      onIdle();
      return;
    }
    const part = waiting.slice(0, PART_LENGTH_MAX);
    waiting = waiting.slice(PART_LENGTH_MAX);
    writeBytes(Buffer.from(part));
  };
  const writeBytes = (bytes: Buffer): void =>
    write(fd, bytes, (error, written) => {
      if (BUSY.includes(error?.code ?? '') && !isCut) setTimeout(writeBytes, RETRY_MS, bytes);
      else if (error === null && written < bytes.length) writeBytes(bytes.subarray(written));
      else writeNext();
    });
  return {
    write: (text) => {
      if (waiting.length + text.length > lengthMax) return;
      waiting += text;
      if (!isWriting) writeNext();
    },
    close: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          isCut = true;
          waiting = '';
        }, CLOSE_MS_MAX);
        onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
        if (!isWriting) onIdle();
      }),
  };
};
