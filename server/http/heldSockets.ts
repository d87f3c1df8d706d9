// Listens for the errors of a server and of its sockets from the moment that it has them: an error to which nothing
// listens ends the process. Node listens only while it reads requests from a socket: not after `connect`, not after a
// failed handshake of TLS, and never to a server that listens already.
import type { Server } from 'node:net';
import type { Duplex } from 'node:stream';

/** How often a server that can't accept connections is reported at most. */
const REPORT_PERIOD_MS = 60_000;

// A client that resets its connection is no problem of the server. What uses the connection learns of it by `close`.
const ignore = (): void => undefined;

const hold = (socket: Duplex): void => {
  socket.on('error', ignore);
};

const createRareReport = (report: (error: Error) => void): ((error: Error) => void) => {
  let reportedMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    const nowMs = performance.now();
    if (nowMs - reportedMs < REPORT_PERIOD_MS) return;
    reportedMs = nowMs;
    report(error);
  };
};

/**
 * Holds a server that doesn't listen yet, and all of its sockets. `onAcceptError` is called, once in a minute at most,
 * when the system couldn't give a connection to the server, which goes on.
 */
export const holdSockets = (server: Server, onAcceptError: (error: Error) => void): void => {
  server.on('connection', hold).on('secureConnection', hold);
  // Before Node's own listener, after which the socket is answered.
  server.prependListener('tlsClientError', (_error: Error, socket: Duplex) => hold(socket));
  const report = createRareReport(onAcceptError);
  // An earlier error is of the address, and for the caller that opens the port.
  server.once('listening', () => server.on('error', report));
};
