// How fast the body of a request comes in. Reading it is the server's task, so bytes that wait for the server count as progress.
import type { IncomingMessage } from 'node:http';

export interface BodyPace {
  /** Milliseconds since the measurement began. */
  elapsedMs(): number;
  /** Average pace since then. */
  bytesPerSecond(): number;
}

/** Whether the body is incomplete and the server has read all of it that came. */
export const isAwaited = ({ complete, readableLength }: IncomingMessage): boolean => !complete && readableLength === 0;

/** Begins a measurement, at the beginning of the body. */
export const measurePace = ({ socket }: IncomingMessage): BodyPace => {
  const beganAtMs = performance.now();
  const bytesBefore = socket.bytesRead;
  const elapsedMs = (): number => performance.now() - beganAtMs;
  return { elapsedMs, bytesPerSecond: () => ((socket.bytesRead - bytesBefore) * 1000) / elapsedMs() };
};
