// What Node refuses before there is a request, in the shape of every error: its own words would not be JSON.

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { LedgerError, type LedgerErrorCode } from '../ledger/errors.ts';
import { STATUS, toProblem } from './problems.ts';

// Node's names for what can be wrong; anything else is not HTTP.
const CODES: Readonly<Record<string, LedgerErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'REQUEST_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** Answers an error on a socket without a response of its own, and ends the connection. */
export const endWithProblem = (socket: Duplex, code: LedgerErrorCode): void => {
  const body = JSON.stringify(toProblem(new LedgerError(code)));
  const status = STATUS[code];
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `date: ${new Date().toUTCString()}`,
    'content-type: application/json; charset=utf-8',
    'x-content-type-options: nosniff',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
};

/** Answers Node's `clientError`, unless the client is gone or is in the middle of an answer. */
export const refuseClient = (error: Error & { code?: string }, socket: Duplex): void => {
  if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
  else endWithProblem(socket, CODES[error.code ?? ''] ?? 'REQUEST_MALFORMED');
};
