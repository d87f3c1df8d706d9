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
  graceMs: 60_000,
  bytesPerSecondMin: 4_096,
  sweepMs: 1_000,
};

interface Beginning {
  readonly atMs: number;
  /** Bytes that the connection had brought before. */
  readonly bytes: number;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const isTooSlow = ({ socket }: IncomingMessage, { atMs, bytes }: Beginning, patience: Patience): boolean => {
  const elapsedMs = performance.now() - atMs;
  const bytesMin = (elapsedMs / 1000) * patience.bytesPerSecondMin;
  return elapsedMs > patience.graceMs && socket.bytesRead - bytes < bytesMin;
};

/** Ends connections that are silent, and has `refuse` end those whose request comes too slowly. */
export const endSlowRequests = (server: Server, patience: Patience, refuse: (socket: Socket) => void): void => {
  const coming = new Map<IncomingMessage, Beginning>();
  server.setTimeout(patience.idleMs);
  server.on('request', (request: IncomingMessage) => {
    if (!hasBody(request)) return;
    coming.set(request, { atMs: performance.now(), bytes: request.socket.bytesRead });
    request.once('close', () => coming.delete(request));
  });
  const sweep = setInterval(() => {
    for (const [request, beginning] of coming) {
      if (request.complete) coming.delete(request);
      else if (isTooSlow(request, beginning, patience)) {
        coming.delete(request);
        refuse(request.socket);
      }
    }
  }, patience.sweepMs);
  // A server that gets no socket never closes, and must not hold up the end of its process.
  sweep.unref();
  server.once('close', () => clearInterval(sweep));
};
