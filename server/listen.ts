// Opens the port of the application, with timeouts for slow clients, and closes it without interrupting an answer.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RequestParties } from './fairness/requestParties.ts';
import type { ConnectionOptions, Connections } from './http/connectionLimits.ts';
import { EXPRESS_MESSAGES } from './http/expressMessages.ts';
import { guardServer } from './http/guardServer.ts';
import { holdSockets } from './http/heldSockets.ts';
import { normalizeTarget } from './http/requestTargets.ts';
import { endSlowRequests } from './http/slowRequests.ts';
import { endWithProblem, isClientGone, refuseClient } from './http/transportErrors.ts';
import { CLIENT_TIMEOUTS, type ClientTimeouts, CONNECTION_LIMITS } from './limits.ts';

/** The server's certificate and private key, as PEM texts. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** How long `close` waits for requests in progress before it ends them, in milliseconds. */
  readonly graceMs: number;
  /** For slow clients; `CLIENT_TIMEOUTS` unless given. */
  readonly timeouts?: ClientTimeouts;
  /** Open connections; `CONNECTION_LIMITS` unless given. */
  readonly connections?: ConnectionOptions;
  /** The shares of requests; those of their connections' networks unless given. */
  readonly readShare?: RequestParties['readShare'] | undefined;
  /** If given, the server speaks HTTPS with TLS 1.2 or newer; otherwise HTTP. */
  readonly tls?: TlsIdentity | undefined;
}

export interface Listener {
  /** The server's URL, without a slash at the end. */
  readonly url: string;
  /**
   * Accepts no more connections, ends the idle ones, and resolves when the requests in progress are answered or the
   * grace period is over.
   */
  close(): Promise<void>;
  /**
   * Changes the certificate of an HTTPS server for new connections.
   * @throws Error for an invalid certificate; the old one stays.
   */
  renew(tls: TlsIdentity): void;
}

// A page token carries the filters of its list, so a request line can be longer than the longest token (see
// openapi.yaml).
const HEADER_BYTES_MAX = 96 * 1024;
const HANDSHAKE_TIMEOUT_MS = 10_000;
/**
 * Connections that the kernel holds until the event loop takes them, as far as the system allows. A client whose
 * connection finds no place there tries again only after 1, 3 and 7 s.
 */
const BACKLOG = 4_096;
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

// When a server closes, Node ends the connections that are idle then, but not those that become idle after their last
// answer.
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
  ...EXPRESS_MESSAGES,
  maxHeaderSize: HEADER_BYTES_MAX,
  // A time for the whole request would end large uploads; server/http/slowRequests.ts bounds their pace.
  requestTimeout: 0,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  // Node's own refusal has no body; that of `assertHost` has one.
  requireHostHeader: false,
};
const TLS_OPTIONS = { minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_TIMEOUT_MS } as const;

// By default Node checks only every 30 s for late headers.
const createAnyServer = ({ tls, timeouts = CLIENT_TIMEOUTS }: Pick<ListenOptions, 'tls' | 'timeouts'>): Server => {
  const options = { ...OPTIONS, headersTimeout: timeouts.headersMs, connectionsCheckingInterval: timeouts.sweepMs };
  return tls === undefined ? createServer(options) : createTlsServer({ ...options, ...TLS_OPTIONS, ...tls });
};

// Behind a request in progress, headers are late because the server doesn't read them.
const isOwnDelay = ({ code }: NodeJS.ErrnoException, socket: Duplex, connections: Connections): boolean =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' && connections.isBusy(socket as Socket);

const serve = (server: Server, app: RequestListener, options: ListenOptions): void => {
  const { timeouts = CLIENT_TIMEOUTS, connections: limits = CONNECTION_LIMITS } = options;
  const watchPace = endSlowRequests(server, timeouts, (socket) =>
    connections.endAfterAnswers(socket, () => refuseSlowClient(socket)),
  );
  const answer: RequestListener = (request, response) => {
    watchPace(request);
    normalizeTarget(request);
    app(request, response);
  };
  const connections = guardServer(server, answer, { ...limits, readShare: options.readShare });
  server.on('clientError', (error, socket) => {
    if (isOwnDelay(error, socket, connections)) return;
    if (isClientGone(error, socket)) socket.destroy();
    else connections.endAfterAnswers(socket as Socket, () => refuseClient(error, socket));
  });
  // Node would end the connection without an answer, and no longer reads it.
  server.on('connect', (_request, socket) => {
    socket.resume();
    connections.endAfterAnswers(socket as Socket, () => endWithProblem(socket, 'ROUTE_NOT_FOUND'));
  });
  // Node's own 417 has no body. Only `100-continue` is defined; any other expectation is ignored (RFC 9110 section
  // 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
};

const createClose = (server: Server, graceMs: number): Listener['close'] => {
  let closing: Promise<void> | undefined;
  return () => {
    closing ??= closeServer(server, graceMs);
    return closing;
  };
};

/** Opens the port. Rejects when the address isn't available, or the certificate is invalid. */
export const listen = async (app: RequestListener, options: ListenOptions): Promise<Listener> => {
  const { host, port, graceMs, tls } = options;
  const server = createAnyServer(options);
  serve(server, app, options);
  server.listen({ port, host, backlog: BACKLOG });
  await once(server, 'listening');
  return {
    url: toUrl(server, tls === undefined ? 'http' : 'https'),
    close: createClose(server, graceMs),
    renew: (identity) => (server as TlsServer).setSecureContext({ ...TLS_OPTIONS, ...identity }),
  };
};

/** A Unix socket to listen on, which only its owner can open. */
export interface SocketOptions extends Pick<ListenOptions, 'graceMs'> {
  readonly path: string;
  /** Called when the system couldn't give a connection to the server. */
  readonly onAcceptError: (error: Error) => void;
}

/** Opens a Unix socket. Its clients have the rights of the server's own user, so nothing limits their connections. */
export const listenOnSocket = async (
  app: RequestListener,
  { path, graceMs, onAcceptError }: SocketOptions,
): Promise<Pick<Listener, 'close'>> => {
  const server = createAnyServer({});
  holdSockets(server, onAcceptError);
  server.on('request', (request, response) => {
    normalizeTarget(request);
    app(request, response);
  });
  server.listen(path);
  await once(server, 'listening');
  return { close: createClose(server, graceMs) };
};
