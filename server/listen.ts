// Gives the application a socket, with time limits on slow clients, and takes it away without cutting off an answer.

import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { UNEXPECTED } from './problems.ts';
import { endSlowRequests, PATIENCE, type Patience } from './slowRequests.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** How long `close` waits for running requests before it cuts them off. */
  readonly graceMs: number;
  /** With clients that are slow; `PATIENCE` unless given. */
  readonly patience?: Patience;
}

export interface Listener {
  /** Where it answers, without a slash at the end. */
  readonly url: string;
  /** Takes no more connections, ends the idle ones, and resolves when the running requests are answered or the grace is over. */
  close(): Promise<void>;
}

// A page token carries the filters of its list, so a request line is as long as the longest token (see openapi.yaml), and more.
const HEADER_BYTES_MAX = 96 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_TIMEOUT_MS = 30_000;

// What Node refuses before there is a request; its own words would not be JSON.
const CLIENT_ERRORS: Readonly<Record<string, { status: string; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', message: 'The headers are over the limit' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'The request took too long' },
};
const MALFORMED = { status: '400 Bad Request', message: 'The request is not HTTP' };
const INVALID_ARGUMENT = 3;

const refuseClient = (error: Error & { code?: string }, socket: Duplex): void => {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, message } = CLIENT_ERRORS[error.code ?? ''] ?? MALFORMED;
  const body = JSON.stringify({ ...UNEXPECTED, code: INVALID_ARGUMENT, message });
  const headers = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`;
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`);
};

const refuseSlowClient = (socket: Socket): void => {
  refuseClient(Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  socket.destroySoon();
};

const toUrl = (server: Server): string => {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
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

/** Rejects when the address can't be had. */
export const listen = (app: Express, { host, port, graceMs, patience = PATIENCE }: ListenOptions): Promise<Listener> =>
  new Promise((resolve, reject) => {
    const server = createServer(
      {
        maxHeaderSize: HEADER_BYTES_MAX,
        headersTimeout: HEADERS_TIMEOUT_MS,
        // A time for the whole request would end large uploads; slowRequests.ts bounds their pace.
        requestTimeout: 0,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      },
      app,
    );
    server.on('clientError', refuseClient);
    endSlowRequests(server, patience, refuseSlowClient);
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve({ url: toUrl(server), close: () => closeServer(server, graceMs) });
    });
  });
