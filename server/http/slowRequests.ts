// Ends requests that make no progress. A large body on a slow connection may take any time while bytes arrive: Node's
// own timeout for a complete request would end it, so this limit is on the pace.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientTimeouts } from '../limits.ts';
import { isAnyPaceAllowed, isAwaited } from './bodyPace.ts';

// Counted in sweeps, so that a stall of the server doesn't count as the client's delay.
interface Progress {
  /** Bytes that the connection had received when the body began. */
  readonly bytesBefore: number;
  /** Bytes that it had received at the last sweep. */
  bytes: number;
  /** Sweeps at which the server waited for the client. The server's own delays don't count towards the pace. */
  awaitedSweeps: number;
  /** Consecutive sweeps of these without a new byte. */
  silentSweeps: number;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const startProgress = ({ socket }: IncomingMessage): Progress => ({
  bytesBefore: socket.bytesRead,
  bytes: socket.bytesRead,
  awaitedSweeps: 0,
  silentSweeps: 0,
});

const updateProgress = (request: IncomingMessage, progress: Progress): void => {
  const { bytesRead } = request.socket;
  const isWaiting = isAwaited(request);
  const isSilent = isWaiting && bytesRead === progress.bytes;
  progress.bytes = bytesRead;
  progress.awaitedSweeps += isWaiting ? 1 : 0;
  progress.silentSweeps = isSilent ? progress.silentSweeps + 1 : 0;
};

const isTooSlow = (request: IncomingMessage, progress: Progress, timeouts: ClientTimeouts): boolean => {
  const { bytesBefore, bytes, awaitedSweeps, silentSweeps } = progress;
  if (silentSweeps * timeouts.sweepMs > timeouts.bodySilenceMs) return true;
  if (isAnyPaceAllowed(request)) return false;
  const awaitedMs = awaitedSweeps * timeouts.sweepMs;
  return awaitedMs > timeouts.graceMs && (bytes - bytesBefore) * 1000 < timeouts.bytesPerSecondMin * awaitedMs;
};

// As in Node, a handler that listens for `timeout` refuses the request itself.
const end = (request: IncomingMessage, refuse: (socket: Socket) => void): void => {
  if (!request.emit('timeout')) refuse(request.socket);
};

/**
 * Ends connections that are silent and requests whose body arrives too slowly: such a request emits `timeout`, and if
 * it has no listener for that, `refuse` ends its connection. Returns a function to call with each dispatched request.
 */
export const endSlowRequests = (
  server: Server,
  timeouts: ClientTimeouts,
  refuse: (socket: Socket) => void,
): ((request: IncomingMessage) => void) => {
  const receiving = new Map<IncomingMessage, Progress>();
  server.setTimeout(timeouts.idleMs);
  const sweep = setInterval(() => {
    for (const [request, progress] of receiving) {
      updateProgress(request, progress);
      if (request.complete) receiving.delete(request);
      else if (isTooSlow(request, progress, timeouts)) {
        receiving.delete(request);
        end(request, refuse);
      }
    }
  }, timeouts.sweepMs);
  // A server that never listened never closes, and must not keep its process alive.
  sweep.unref();
  server.once('close', () => clearInterval(sweep));
  return (request) => {
    if (!hasBody(request)) return;
    receiving.set(request, startProgress(request));
    request.once('close', () => receiving.delete(request));
  };
};
