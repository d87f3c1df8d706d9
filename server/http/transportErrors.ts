// Answers the errors that Node detects before there is a request, in the shape of every error. Node's own answers
// aren't JSON.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { LedgerError, type LedgerErrorCode } from '../../ledger/errors.ts';
import { STATUS, toProblem } from './problems.ts';

// Node's names of errors; any other error means that the bytes aren't HTTP.
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

type ClientError = Error & { readonly code?: string };

/** Whether the client of a `clientError` of Node can no longer receive an answer. */
export const isClientGone = ({ code }: ClientError, socket: Duplex): boolean =>
  !socket.writable || code === 'ECONNRESET';

/** Answers a `clientError` of Node on a connection without an answer in progress. */
export const refuseClient = ({ code = '' }: ClientError, socket: Duplex): void =>
  endWithProblem(socket, CODES[code] ?? 'REQUEST_MALFORMED');
