// The HTTP interface of a witness: `POST /add-checkpoint`, the newest cosigned checkpoint of a log at `GET
// /<SHA-256 of its origin>/checkpoint` (c2sp.org/tlog-witness), and `GET /`, which shows its verifier key.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { LedgerError, type LedgerErrorCode } from '../../ledger/errors.ts';
import { ADD_CHECKPOINT_LENGTH_MAX } from '../../ledger/evidence/addCheckpoint.ts';
import { readBytes, toAcceptEncoding } from '../../server/http/bodyBytes.ts';
import { nameWork } from '../../server/http/currentWork.ts';
import { guardServer } from '../../server/http/guardServer.ts';
import { createNetworkLimit } from '../../server/http/rateLimits.ts';
import type { ConnectionLimits, Rate } from '../../server/limits.ts';
import { reportUnexpected } from '../watching/reports.ts';
import type { Witness } from './witness.ts';
import type { WitnessState } from './witnessState.ts';

const TIMES = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };
const GRACE_MS = 2_000;
const CONNECTIONS_OF_WITNESS: ConnectionLimits = { max: 64, perAddressMax: 16 };
const TEXT = 'text/plain; charset=utf-8';
/** c2sp.org/tlog-witness: the body is the size that the witness knows. */
const TYPES: Readonly<Record<number, string>> = { 409: 'text/x.tlog.size' };
const CHECKPOINT_PATH = /^\/([0-9a-f]{64})\/checkpoint$/;
const STATUSES: Partial<Record<LedgerErrorCode, number>> = {
  REQUEST_TOO_LARGE: 413,
  MEDIA_TYPE_UNSUPPORTED: 415,
  RATE_LIMITED: 429,
};

/** What is served. */
export interface ServedWitness {
  readonly witness: Witness;
  readonly state: Pick<WitnessState, 'findByName'>;
  /** Text of the key that verifies its cosignatures. */
  readonly verifierKey: string;
}

const answer = (response: ServerResponse, status: number, text: string): void => {
  const headers = { 'content-type': TYPES[status] ?? TEXT, 'x-content-type-options': 'nosniff' };
  response.writeHead(status, headers).end(text);
};

const refuse = (response: ServerResponse, error: LedgerError): void => {
  const { code, message, retryAfterMs } = error;
  for (const [name, value] of Object.entries(toAcceptEncoding(error))) response.setHeader(name, value);
  if (retryAfterMs !== undefined) response.setHeader('retry-after', Math.ceil(retryAfterMs / 1_000));
  answer(response, STATUSES[code] ?? 400, `${message}\n`);
};

const readBody = async (request: IncomingMessage, response: ServerResponse): Promise<string | undefined> => {
  const onRefusedAtOnce = (): void => void response.setHeader('connection', 'close');
  const bytes = await readBytes(request, { bytesMax: ADD_CHECKPOINT_LENGTH_MAX, onRefusedAtOnce });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The only error of the decoder: bytes that aren't UTF-8.
    return undefined;
  }
};

const addCheckpoint = async (
  { addCheckpoint }: Witness,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  try {
    const body = await readBody(request, response);
    if (body === undefined) return answer(response, 400, 'not UTF-8\n');
    const { status, text } = await addCheckpoint(body);
    answer(response, status, text);
  } catch (error) {
    if (error instanceof LedgerError) return refuse(response, error);
    reportUnexpected(error);
    answer(response, 500, 'the checkpoint could not be saved\n');
  }
};

const createListener = ({ witness, state, verifierKey }: ServedWitness): RequestListener => {
  const get = (path: string, response: ServerResponse): void => {
    const name = CHECKPOINT_PATH.exec(path)?.[1];
    const note = name === undefined ? undefined : state.findByName(name)?.note;
    if (path === '/') answer(response, 200, `${verifierKey}\n`);
    else if (note === undefined) answer(response, 404, 'not found\n');
    else answer(response.setHeader('cache-control', 'no-cache'), 200, note);
  };
  return (request, response) => {
    const { method, url = '' } = request;
    if (method === 'POST' && url === '/add-checkpoint') addCheckpoint(witness, request, response);
    else if (method === 'GET') get(url, response);
    else answer(response.setHeader('connection', 'close'), 404, 'not found\n');
  };
};

const limitRequests = (listener: RequestListener, rate: Rate): RequestListener => {
  const limit = createNetworkLimit(rate);
  return async (request, response) => {
    try {
      await limit(request.socket.remoteAddress ?? '');
    } catch (error) {
      // Its body isn't read.
      return refuse(response.setHeader('connection', 'close'), error as LedgerError);
    }
    listener(request, response);
  };
};

/** Where a witness listens. */
export interface WitnessListening {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Requests of one client network. */
  readonly rate: Rate;
}

/**
 * Opens the port. Returns the URL, and a function that closes it when the requests in progress are answered, or after
 * two seconds.
 */
export const listenForCheckpoints = async (
  served: ServedWitness,
  { host, port, rate }: WitnessListening,
): Promise<{ url: string; close: () => Promise<void> }> => {
  const server = createServer(TIMES);
  const listener = limitRequests(nameWork('a request to the witness', createListener(served)), rate);
  guardServer(server, listener, CONNECTIONS_OF_WITNESS);
  server.listen(port, host);
  await once(server, 'listening');
  const { address, port: opened } = server.address() as { address: string; port: number };
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${opened}`,
    close: () =>
      new Promise((resolve) => {
        // A server that closes no longer ends late requests itself.
        const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
};
