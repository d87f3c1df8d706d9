// Ends requests that don't get on. A large body on a slow line may take as long as it needs, as long as it comes at all: Node's own limit on
// the time of a whole request would cut it off, so this one is on its pace.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** What a client may do slowly. */
export interface Patience {
  /** How long the headers of a request may come, from the first byte of the connection or of the request. */
  readonly headersMs: number;
  /** How long a connection with a request may be without a byte in either direction. */
  readonly idleMs: number;
  /** How long a body may bring no byte while the server has read all that came. */
  readonly bodySilenceMs: number;
  /** How long a body may come at any pace. */
  readonly graceMs: number;
  /** Average pace of a body past that time. */
  readonly bytesPerSecondMin: number;
  /** How often it is looked at. */
  readonly sweepMs: number;
}

export const PATIENCE: Patience = {
  headersMs: 10_000,
  idleMs: 120_000,
  bodySilenceMs: 10_000,
  graceMs: 60_000,
  bytesPerSecondMin: 4_096,
  sweepMs: 1_000,
};

interface Progress {
  readonly beganAtMs: number;
  /** Bytes that the connection had brought before the body. */
  readonly bytesBefore: number;
  /** Bytes that it had brought at the last sweep, and when that number changed or the body had not been read. */
  bytes: number;
  movedAtMs: number;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const startProgress = ({ socket }: IncomingMessage): Progress => {
  const nowMs = performance.now();
  return { beganAtMs: nowMs, bytesBefore: socket.bytesRead, bytes: socket.bytesRead, movedAtMs: nowMs };
};

const updateProgress = ({ socket, readableLength }: IncomingMessage, progress: Progress): void => {
  if (socket.bytesRead === progress.bytes && readableLength === 0) return;
  progress.bytes = socket.bytesRead;
  progress.movedAtMs = performance.now();
};

const isTooSlow = ({ beganAtMs, bytesBefore, bytes, movedAtMs }: Progress, patience: Patience): boolean => {
  const nowMs = performance.now();
  const elapsedMs = nowMs - beganAtMs;
  const bytesMin = (elapsedMs / 1000) * patience.bytesPerSecondMin;
  if (nowMs - movedAtMs > patience.bodySilenceMs) return true;
  return elapsedMs > patience.graceMs && bytes - bytesBefore < bytesMin;
};

/**
 * Ends connections that are silent, and has `refuse` end those whose request comes too slowly. Returns what is to be called with each request
 * that is dispatched.
 */
export const endSlowRequests = (
  server: Server,
  patience: Patience,
  refuse: (socket: Socket) => void,
): ((request: IncomingMessage) => void) => {
  const coming = new Map<IncomingMessage, Progress>();
  server.setTimeout(patience.idleMs);
  const sweep = setInterval(() => {
    for (const [request, progress] of coming) {
      updateProgress(request, progress);
      if (request.complete) coming.delete(request);
      else if (isTooSlow(progress, patience)) {
        coming.delete(request);
        refuse(request.socket);
      }
    }
  }, patience.sweepMs);
  // A server that gets no socket never closes, and must not hold up the end of its process.
  sweep.unref();
  server.once('close', () => clearInterval(sweep));
  return (request) => {
    if (!hasBody(request)) return;
    coming.set(request, startProgress(request));
    request.once('close', () => coming.delete(request));
  };
};
