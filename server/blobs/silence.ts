// Notices a client that has stopped sending its body, so that a half-open upload does not keep its slot.
import type { IncomingMessage } from 'node:http';
import { LedgerError } from '../../ledger/errors.ts';

export interface Silence {
  /** Aborts with REQUEST_TIMEOUT when no byte has come for the whole idle time although the server was reading. */
  readonly signal: AbortSignal;
  stop(): void;
}

/** Looks in one idle time. */
const LOOKS = 10;

// A body that is paused, or not yet read, waits for the server's own disk.
const isAwaited = (request: IncomingMessage): boolean =>
  !request.complete && !request.isPaused() && request.readableLength === 0;

/** Watches a request until `stop`. `idleMs` in milliseconds. */
export const watchSilence = (request: IncomingMessage, idleMs: number): Silence => {
  const silent = new AbortController();
  let bytes = request.socket.bytesRead;
  let looks = 0;
  const timer = setInterval(() => {
    const isSilent = isAwaited(request) && request.socket.bytesRead === bytes;
    bytes = request.socket.bytesRead;
    looks = isSilent ? looks + 1 : 0;
    if (looks > LOOKS) silent.abort(new LedgerError('REQUEST_TIMEOUT'));
  }, idleMs / LOOKS);
  timer.unref();
  return { signal: silent.signal, stop: () => clearInterval(timer) };
};
