// Clients that cut their connections: at a byte of a request, by a reset or a close, some turns of the event loop later
// or when the answer begins.
import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import fc from 'fast-check';

/** Where a client connects to, and whether it speaks TLS there. */
export interface CutPort {
  readonly address: NetConnectOpts;
  readonly isTls: boolean;
}

interface Cut {
  readonly request: Uint8Array;
  /** Share of the request's bytes that are sent. */
  readonly share: number;
  readonly ending: 'reset' | 'end' | 'destroy';
  /** Turns of the event loop after the bytes are sent, at most: the connection is cut when the answer begins. */
  readonly turns: number;
}

const AT_ONCE = 16;
/** Most answers begin within so many turns. */
const TURNS_MAX = 1_000;

const toBytes = (...lines: readonly string[]): Uint8Array => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
const CONNECT = toBytes('CONNECT a:1 HTTP/1.1', 'host: a');
const GET = toBytes('GET /healthz HTTP/1.1', 'host: a');

/** Requests for any port: what may take a socket out of the hands of HTTP, what is no HTTP, and what has a body. */
export const CUT_REQUESTS: readonly Uint8Array[] = [
  CONNECT,
  Buffer.concat([CONNECT, GET]),
  Buffer.concat([GET, CONNECT]),
  Buffer.concat([GET, GET, GET, GET]),
  toBytes('GET / HTTP/1.1', 'host: a', 'upgrade: websocket', 'connection: upgrade'),
  toBytes('GET / HTTP/1.1', 'host: a', 'upgrade: h2c', 'connection: upgrade', 'http2-settings: AAMAAABkAAQAAP__'),
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 151) % 256)),
  toBytes('POST / HTTP/1.1', 'host: a', 'expect: 100-continue', 'content-length: 10'),
  toBytes('POST / HTTP/1.1', 'host: a', 'content-type: application/json', 'content-length: 2', '', '{}'),
  toBytes('POST / HTTP/1.1', 'host: a', 'transfer-encoding: chunked', '', '2', '{}', 'zz'),
];

/** The first bytes of a client that speaks TLS. */
export const recordClientHello = async (): Promise<Uint8Array> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connectTls({ ...(server.address() as { port: number }), host: '127.0.0.1' }).on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [hello] = (await once(
    socket.on('error', () => {}),
    'data',
  )) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return hello;
};

const passTurns = async (turns: number, isOver: () => boolean): Promise<void> => {
  for (let turn = 0; turn < turns && !isOver(); turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

// A socket of a path can't be reset.
const end = (socket: Socket, { address }: CutPort, { ending }: Cut): void => {
  if (ending === 'end') socket.end();
  else if (ending === 'destroy' || 'path' in address) socket.destroy();
  else socket.resetAndDestroy();
};

// A connection that the server refuses has nothing to cut.
const cutConnection = async (port: CutPort, cut: Cut): Promise<void> => {
  const { address, isTls } = port;
  const socket = connect(address).on('error', () => {});
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  const writer = isTls ? connectTls({ socket, rejectUnauthorized: false }).on('error', () => {}) : socket;
  let isOver = false;
  for (const name of ['data', 'close'])
    writer.once(name, () => {
      isOver = true;
    });
  const opened = new Promise<void>((resolve) => void writer.once(isTls ? 'secureConnect' : 'connect', resolve));
  await Promise.race([opened, closed]);
  writer.write(cut.request.subarray(0, Math.round(cut.share * cut.request.length)), () => {});
  await passTurns(cut.turns, () => isOver);
  end(socket, port, cut);
  socket.resume();
  // A server may leave half of a connection open, as long as its timeouts allow.
  if (cut.ending !== 'end') await closed;
  else socket.destroySoon();
};

const arbitraryCut = (requests: readonly Uint8Array[]): fc.Arbitrary<Cut> =>
  fc.record({
    request: fc.constantFrom(...requests),
    share: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
    ending: fc.constantFrom('reset', 'reset', 'end', 'destroy'),
    turns: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constant(TURNS_MAX)),
  });

/** Cuts `count` connections to a port, several at once, by a seed. */
export const cutConnections = async (
  port: CutPort,
  requests: readonly Uint8Array[],
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<void> => {
  const cuts = fc.sample(arbitraryCut(requests), { numRuns: count, seed });
  const run = async (): Promise<void> => {
    for (let cut = cuts.pop(); cut !== undefined; cut = cuts.pop()) await cutConnection(port, cut);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
};
