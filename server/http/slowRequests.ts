// Ends requests that make no progress. A large body on a slow connection may take any time while bytes arrive: Node's
// own timeout for a complete request would end it, so this limit is on the pace.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientTimeouts } from '../limits.ts';
import { type BodyPace, isAwaited, measurePace } from './bodyPace.ts';

interface Progress {
  readonly pace: BodyPace;
  /** Bytes that the connection had received at the last sweep. */
  bytes: number;
  /**
   * Consecutive sweeps without a new byte. Counted in sweeps, so that a stall of the server doesn't count as the
   * client's silence.
   */
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
      else if (isTooSlow(progress, timeouts)) {
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
