// Ends requests that don't get on. A large body on a slow line may take as long as it needs, as long as it comes at all: Node's own limit on
// the time of a whole request would cut it off, so this one is on its pace.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientTimeouts } from '../limits.ts';
import { type BodyPace, isAwaited, measurePace } from './bodyPace.ts';

interface Progress {
  readonly pace: BodyPace;
  /** Bytes that the connection had brought at the last sweep. */
  bytes: number;
  /** Sweeps in a row that found no new byte, so that a server that stood still does not take its own silence for the client's. */
  silentSweeps: number;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const startProgress = (request: IncomingMessage): Progress => ({
  pace: measurePace(request),
  bytes: request.socket.bytesRead,
  silentSweeps: 0,
});

const updateProgress = (request: IncomingMessage, progress: Progress): void => {
  const { bytesRead } = request.socket;
  const isSilent = isAwaited(request) && bytesRead === progress.bytes;
  progress.bytes = bytesRead;
  progress.silentSweeps = isSilent ? progress.silentSweeps + 1 : 0;
};

const isTooSlow = ({ pace, silentSweeps }: Progress, timeouts: ClientTimeouts): boolean => {
  if (silentSweeps * timeouts.sweepMs > timeouts.bodySilenceMs) return true;
  return pace.elapsedMs() > timeouts.graceMs && pace.bytesPerSecond() < timeouts.bytesPerSecondMin;
};

// A request whose handler listens for `timeout` is refused by that handler, as in Node.
const end = (request: IncomingMessage, refuse: (socket: Socket) => void): void => {
  if (!request.emit('timeout')) refuse(request.socket);
};

/**
 * Ends connections that are silent and requests whose body comes too slowly: such a request emits `timeout`, and if nobody listens for that,
 * `refuse` ends its connection. Returns what is to be called with each request that is dispatched.
 */
export const endSlowRequests = (
  server: Server,
  timeouts: ClientTimeouts,
  refuse: (socket: Socket) => void,
): ((request: IncomingMessage) => void) => {
  const coming = new Map<IncomingMessage, Progress>();
  server.setTimeout(timeouts.idleMs);
  const sweep = setInterval(() => {
    for (const [request, progress] of coming) {
      updateProgress(request, progress);
      if (request.complete) coming.delete(request);
      else if (isTooSlow(progress, timeouts)) {
        coming.delete(request);
        end(request, refuse);
      }
    }
  }, timeouts.sweepMs);
  // A server that gets no socket never closes, and must not hold up the end of its process.
  sweep.unref();
  server.once('close', () => clearInterval(sweep));
  return (request) => {
    if (!hasBody(request)) return;
    coming.set(request, startProgress(request));
    request.once('close', () => coming.delete(request));
  };
};
