// Measures how fast the body of a request arrives. The server has to read it, so bytes that the server hasn't read
// count as progress.
import type { IncomingMessage } from 'node:http';

/** A measurement of one body. */
export interface BodyPace {
  /** Milliseconds since the measurement began. */
  elapsedMs(): number;
  /** Average pace since then. */
  bytesPerSecond(): number;
}

/** Whether the body is incomplete and the server has read all that arrived. */
export const isAwaited = ({ complete, readableLength }: IncomingMessage): boolean => !complete && readableLength === 0;

/** Starts a measurement. To be called when the body begins. */
export const measurePace = ({ socket }: IncomingMessage): BodyPace => {
  const beganAtMs = performance.now();
  const bytesBefore = socket.bytesRead;
  const elapsedMs = (): number => performance.now() - beganAtMs;
  return { elapsedMs, bytesPerSecond: () => ((socket.bytesRead - bytesBefore) * 1000) / elapsedMs() };
};

const ofAnyPace = new WeakSet<IncomingMessage>();

/**
 * Lets the body arrive at any average pace, because its client may send what occurs while it occurs. Such a request
 * still ends when its client is silent.
 */
export const allowAnyPace = (request: IncomingMessage): void => {
  ofAnyPace.add(request);
};

/** Whether the body may arrive at any average pace. */
export const isAnyPaceAllowed = (request: IncomingMessage): boolean => ofAnyPace.has(request);
