// The embedded chain's public port for third parties: JSON-RPC over HTTP on the loopback. Web pages have no access,
// except those of the origins that the operator named: it refuses a foreign Host header (DNS rebinding), and any
// content type that a browser may send without a preflight request.
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';
import { createAnswerBudget } from './answerBudget.ts';
import { answerJsonRpc, type JsonRpcDeps } from './answerJsonRpc.ts';
import { createCors } from './cors.ts';
import type { AnswerClient, RpcAnswer } from './publicChain.ts';
import { type RpcTurns, runAtOnce } from './rpcWork.ts';

/** Limits of the public port. */
export interface RpcLimits {
  readonly bodyBytesMax: number;
  /** Bytes of all answers that are being built or not sent yet, besides `answerAllowanceBytes` of each. */
  readonly answersBytesMax: number;
  readonly answerAllowanceBytes: number;
  /** Milliseconds in which a client must send its headers, and the complete request. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Milliseconds without traffic, in either direction, after which a connection is closed. */
  readonly idleTimeoutMs: number;
  /** Milliseconds that `close` waits for answers in progress. */
  readonly closeTimeoutMs: number;
}

/** A listening server. */
export interface RpcServer {
  readonly url: string;
  readonly port: number;
  /** Refuses new requests, finishes those in progress, and closes. */
  close(): Promise<void>;
}

/** Options of the public port. */
export interface RpcServerOptions {
  /** Answers a public method: `answer` of the embedded chain. */
  readonly answer: RpcAnswer;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly onError: (error: unknown) => void;
  /** Values of the Host header that are accepted besides the loopback's names. */
  readonly allowedHosts?: readonly string[];
  /** Origins whose pages may use the port in a browser; none by default. */
  readonly corsOrigins?: readonly string[];
  readonly limits?: Partial<RpcLimits>;
  /** The turns of clients; without turns by default. */
  readonly turns?: RpcTurns;
  /** Who takes turns with others: the client's address by default. */
  readonly toParty?: (req: IncomingMessage) => string;
  /** Registers the listener on the server, with limits on connections if needed; without limits by default. */
  readonly serve?: (server: http.Server, answer: RequestListener) => void;
}

/** A refusal before JSON-RPC begins. */
interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  /** None by default. */
  readonly headers?: Readonly<Record<string, string>>;
}

const DEFAULT_LIMITS: RpcLimits = {
  bodyBytesMax: 2 * 2 ** 20,
  answersBytesMax: 64 * 2 ** 20,
  answerAllowanceBytes: 128 * 2 ** 10,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 60_000,
  closeTimeoutMs: 5_000,
};

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const PART_BYTES = 64 * 2 ** 10;
const PORT_SUFFIX = /:\d+$/;

/** RFC 9110 section 12.5.3. */
const IDENTITY = { 'accept-encoding': 'identity' };
const FOREIGN_HOST: HttpRefusal = { status: 403, message: 'This server does not have this name' };

const isForeignHost = ({ headers: { host = '' } }: IncomingMessage, hosts: ReadonlySet<string>): boolean =>
  !hosts.has(host.replace(PORT_SUFFIX, '').toLowerCase());

const findRefusal = (req: IncomingMessage): HttpRefusal | undefined => {
  const { headers } = req;
  if (req.method !== 'POST') return { status: 405, message: 'Only POST', headers: { allow: 'POST' } };
  const [mediaType] = (headers['content-type'] ?? '').split(';');
  if (mediaType?.trim().toLowerCase() !== 'application/json')
    return { status: 415, message: 'The content-type must be application/json' };
  if ((headers['content-encoding'] || 'identity').toLowerCase() !== 'identity')
    return {
      status: 415,
      message: 'The content-encoding must be identity: send the body uncompressed',
      headers: IDENTITY,
    };
  return undefined;
};

// A body that is too large is read to its end, within the time of a request, and discarded: a client that is still
// writing would not receive the refusal.
const readRequestBody = async (req: IncomingMessage, bytesMax: number): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= bytesMax) chunks.push(chunk);
  }
  return bytes <= bytesMax ? Buffer.concat(chunks).toString('utf8') : undefined;
};

const refuse = (res: ServerResponse, { status, message, headers = {} }: HttpRefusal): void => {
  res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers });
  res.end(`${message}\n`);
};

// In parts, so that the socket shows whether the client reads.
const toParts = function* (bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
};

const respond = (res: ServerResponse, text: string | undefined): void => {
  if (text === undefined) {
    res.writeHead(204).end();
    return;
  }
  const bytes = Buffer.from(text);
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  if (bytes.length <= PART_BYTES) res.end(bytes);
  else Readable.from(toParts(bytes)).pipe(res);
};

// Nothing that has not begun begins when the client has gone.
const toSignal = (res: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new RpcError(RPC_CODE.UNAVAILABLE, 'the client has gone'));
  if (res.destroyed) abort();
  else res.once('close', abort);
  return controller.signal;
};

// An answer is lost when the connection has ended before all of it was handed to the system.
const createUndoIfLost = (res: ServerResponse): AnswerClient['undoIfLost'] => {
  const undos: (() => void)[] = [];
  res.once('close', () => {
    if (res.writableFinished) return;
    for (const undo of undos) undo();
  });
  return (undo) => {
    if (res.destroyed) undo();
    else undos.push(undo);
  };
};

const createHandler = (options: RpcServerOptions, limits: RpcLimits) => {
  const hosts = new Set([...LOOPBACK_NAMES, ...(options.allowedHosts ?? []).map((name) => name.toLowerCase())]);
  const openTurns = options.turns ?? (() => runAtOnce);
  const toParty = options.toParty ?? (({ socket }) => socket.remoteAddress ?? '');
  const answerTo = (req: IncomingMessage, res: ServerResponse): JsonRpcDeps['answer'] => {
    const party = toParty(req);
    const run = openTurns({ party, signal: toSignal(res) });
    return (method, params, undoIfLost) => options.answer(method, params, run, { party, undoIfLost });
  };
  const cors = createCors(options.corsOrigins ?? []);
  const openShare = createAnswerBudget({
    bytesMax: limits.answersBytesMax,
    allowanceBytes: limits.answerAllowanceBytes,
  });
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const counter = openShare();
    res.once('close', counter.release);
    if (isForeignHost(req, hosts)) return refuse(res, FOREIGN_HOST);
    cors.allow(req, res);
    if (cors.answerPreflight(req, res)) return;
    const refusal = findRefusal(req);
    if (refusal !== undefined) return refuse(res, refusal);
    const body = await readRequestBody(req, limits.bodyBytesMax);
    const oversize = { status: 413, message: `The body is over ${limits.bodyBytesMax} bytes` };
    if (body === undefined) return refuse(res, oversize);
    const { onError } = options;
    const deps = { answer: answerTo(req, res), counter, onError, undoIfLost: createUndoIfLost(res) };
    respond(res, await answerJsonRpc(body, deps));
  };
};

const createListener = (server: http.Server, options: RpcServerOptions, limits: RpcLimits): RequestListener => {
  const handle = createHandler(options, limits);
  return (req, res) => {
    // After `close`, no connection stays open for another request.
    res.once('finish', () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
    // When the client disconnected in the middle of its request, there is nothing to report.
    handle(req, res).catch((error: unknown) => {
      res.destroy();
      if (!req.destroyed || req.complete) options.onError(error);
    });
  };
};

const createHttpServer = (options: RpcServerOptions, limits: RpcLimits): http.Server => {
  const server = http.createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs) / 2,
  });
  const serve = options.serve ?? ((_server, answer) => server.on('request', answer));
  serve(server, createListener(server, options, limits));
  server.setTimeout(limits.idleTimeoutMs);
  return server;
};

const listenOn = (server: http.Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

const closeServer = async (server: http.Server, timeoutMs: number): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearTimeout(cut);
};

/** Listens on host and port. Rejects with the operating system's error when it cannot. */
export const createRpcServer = async (options: RpcServerOptions): Promise<RpcServer> => {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const server = createHttpServer(options, limits);
  await listenOn(server, options.host, options.port);
  const { port } = server.address() as AddressInfo;
  const name = options.host.includes(':') ? `[${options.host}]` : options.host;
  return { url: `http://${name}:${port}`, port, close: () => closeServer(server, limits.closeTimeoutMs) };
};
