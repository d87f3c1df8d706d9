// Gives the application a socket, with time limits on slow clients, and takes it away without cutting off an answer.

import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionOptions, Connections } from './http/connectionLimits.ts';
import { guardServer } from './http/guardServer.ts';
import { toOriginForm } from './http/requestTargets.ts';
import { endSlowRequests } from './http/slowRequests.ts';
import { endWithProblem, isClientGone, refuseClient } from './http/transportErrors.ts';
import { CLIENT_TIMEOUTS, type ClientTimeouts, CONNECTION_LIMITS } from './limits.ts';

/** What the server proves its name with: PEM texts. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** How long `close` waits for running requests before it cuts them off. */
  readonly graceMs: number;
  /** For slow clients; `CLIENT_TIMEOUTS` unless given. */
  readonly timeouts?: ClientTimeouts;
  /** Open connections; `CONNECTION_LIMITS` unless given. */
  readonly connections?: ConnectionOptions;
  /** Given: HTTPS, TLS 1.2 or newer; else HTTP. */
  readonly tls?: TlsIdentity | undefined;
}

export interface Listener {
  /** Where it answers, without a slash at the end. */
  readonly url: string;
  /** Takes no more connections, ends the idle ones, and resolves when the running requests are answered or the grace is over. */
  close(): Promise<void>;
  /** Of an HTTPS server: new connections get the new certificate. @throws Error when it makes no sense; the old one stays. */
  renew(tls: TlsIdentity): void;
}

// A page token carries the filters of its list, so a request line is as long as the longest token (see openapi.yaml), and more.
const HEADER_BYTES_MAX = 96 * 1024;
const HANDSHAKE_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_TIMEOUT_MS = 30_000;

const refuseSlowClient = (socket: Socket): void => {
  endWithProblem(socket, 'REQUEST_TIMEOUT');
  socket.destroySoon();
};

const toUrl = (server: Server, scheme: string): string => {
  const { address, family, port } = server.address() as AddressInfo;
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
};

const SWEEP_MS = 20;

// Node ends the connections that are idle when it closes, but not those that become idle after their last answer.
const closeServer = (server: Server, graceMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close((error) => {
      clearInterval(sweep);
      clearTimeout(cut);
      if (error === undefined) resolve();
      else reject(error);
    });
  });

const OPTIONS = {
  maxHeaderSize: HEADER_BYTES_MAX,
  // A time for the whole request would end large uploads; server/http/slowRequests.ts bounds their pace.
  requestTimeout: 0,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  // Node's own refusal would have no body; requireHost has one.
  requireHostHeader: false,
};
const TLS_OPTIONS = { minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_TIMEOUT_MS } as const;

// Node looks for headers that are late every 30 s unless it is told how often.
const createAnyServer = ({ tls, timeouts = CLIENT_TIMEOUTS }: Pick<ListenOptions, 'tls' | 'timeouts'>): Server => {
  const options = { ...OPTIONS, headersTimeout: timeouts.headersMs, connectionsCheckingInterval: timeouts.sweepMs };
  return tls === undefined ? createServer(options) : createTlsServer({ ...options, ...TLS_OPTIONS, ...tls });
};

// The headers of a request that waits behind another are late because the server doesn't read them.
const isOwnDelay = ({ code }: NodeJS.ErrnoException, socket: Duplex, connections: Connections): boolean =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' && connections.isBusy(socket as Socket);

const serve = (server: Server, app: RequestListener, options: ListenOptions): void => {
  const { timeouts = CLIENT_TIMEOUTS, connections: limits = CONNECTION_LIMITS } = options;
  const watchPace = endSlowRequests(server, timeouts, (socket) =>
    connections.endAfterAnswers(socket, () => refuseSlowClient(socket)),
  );
  const answer: RequestListener = (request, response) => {
    watchPace(request);
    toOriginForm(request);
    app(request, response);
  };
  const connections = guardServer(server, answer, limits);
  server.on('clientError', (error, socket) => {
    if (isOwnDelay(error, socket, connections)) return;
    if (isClientGone(error, socket)) socket.destroy();
    else connections.endAfterAnswers(socket as Socket, () => refuseClient(error, socket));
  });
  // Node would end the connection without a word, and no longer reads it.
  server.on('connect', (_request, socket) => {
    socket.resume();
    connections.endAfterAnswers(socket as Socket, () => endWithProblem(socket, 'ROUTE_NOT_FOUND'));
  });
  // Node's own 417 would have no body. What a client may expect besides `100-continue` nobody has said, so it is ignored (RFC 9110 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
};

/** Rejects when the address can't be had, or the certificate makes no sense. */
export const listen = async (app: RequestListener, options: ListenOptions): Promise<Listener> => {
  const { host, port, graceMs, tls } = options;
  const server = createAnyServer(options);
  serve(server, app, options);
  server.listen(port, host);
  await once(server, 'listening');
  let closing: Promise<void> | undefined;
  return {
    url: toUrl(server, tls === undefined ? 'http' : 'https'),
    close: () => {
      closing ??= closeServer(server, graceMs);
      return closing;
    },
    renew: (identity) => (server as TlsServer).setSecureContext({ ...TLS_OPTIONS, ...identity }),
  };
};
