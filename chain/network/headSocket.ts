// One WebSocket connection on which a node announces its new blocks (`eth_subscribe`). It ends at the first message
// that it shouldn't have got, and when too many come or none.
import { type RawData, WebSocket } from 'ws';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import type { NodeUrl } from '../jsonRpc/nodeUrl.ts';

/** Options of a connection. */
export interface HeadSocketOptions extends NodeUrl {
  /** Milliseconds within which the node must have accepted the subscription. */
  readonly timeoutMs: number;
  /** Milliseconds after which it must have answered a ping; 10 s where it is left out. */
  readonly pingMs?: number;
  /** Called when the node has accepted the subscription. */
  readonly onLive: () => void;
  /** Called when the node announces a block. What it says about the block isn't read. */
  readonly onHead: () => void;
  /** Called once, with one line, when the connection has ended by itself. */
  readonly onEnd: (reason: string) => void;
}

/** A header with the seals of 256 validators has some 50 kB. */
const MESSAGE_BYTES_MAX = 256 * 1024;
/** Messages of a second, pings included: a chain makes a few blocks. */
const MESSAGES_MAX = 100;
const SECOND_MS = 1_000;
/** A connection that a firewall has forgotten looks alive. */
const PING_MS = 10_000;
const REASON_LENGTH_MAX = 200;

/** Id of the one request of a connection. */
const ID = 1;
const SUBSCRIBE = JSON.stringify({ jsonrpc: '2.0', id: ID, method: 'eth_subscribe', params: ['newHeads'] });

// Returns a function that counts a message, and whether there are too many.
const createFlood = () => {
  let sinceMs = performance.now();
  let messages = 0;
  return (): boolean => {
    const nowMs = performance.now();
    if (nowMs - sinceMs >= SECOND_MS) {
      sinceMs = nowMs;
      messages = 0;
    }
    messages += 1;
    return messages > MESSAGES_MAX;
  };
};

const parse = (data: RawData, isBinary: boolean): Readonly<Record<string, unknown>> => {
  try {
    const message: unknown = isBinary ? undefined : JSON.parse(data.toString());
    return isJsonObject(message) ? message : {};
  } catch {
    return {};
  }
};

// A text of the node is printed.
const toLine = (text: string): string => text.slice(0, REASON_LENGTH_MAX).replace(/[^ -~]/g, '?');

// What a message means; a reason to end the connection is a text.
const judge = (
  { id, method, result, error }: Readonly<Record<string, unknown>>,
  isLive: boolean,
): 'head' | 'live' | 'nothing' | { readonly reason: string } => {
  // Some nodes may announce a block before they answer.
  if (method === 'eth_subscription') return isLive ? 'head' : 'nothing';
  if (isLive || id !== ID) return { reason: 'a message that is no announcement' };
  if (typeof result === 'string') return 'live';
  const message = isJsonObject(error) ? error.message : undefined;
  return { reason: `the subscription is refused: ${typeof message === 'string' ? message : 'without a reason'}` };
};

/** Connects, and subscribes to new blocks. Returns the function that ends the connection. */
export const openHeadSocket = (options: HeadSocketOptions): (() => void) => {
  const { url, authorization, timeoutMs, pingMs = PING_MS, onLive, onHead, onEnd } = options;
  const headers = authorization === undefined ? {} : { authorization };
  const socket = new WebSocket(url, { headers, maxPayload: MESSAGE_BYTES_MAX, perMessageDeflate: false });
  const isFlood = createFlood();
  let isLive = false;
  let isOver = false;
  let isHeard = true;
  let timer: NodeJS.Timeout;

  const close = (): void => {
    isOver = true;
    clearTimeout(timer);
    socket.terminate();
  };
  const end = (reason: string): void => {
    if (isOver) return;
    close();
    onEnd(toLine(reason));
  };
  const hear = (): void => {
    isHeard = true;
    if (isFlood()) end(`more than ${MESSAGES_MAX} messages in a second`);
  };
  const ping = (): void => {
    if (isHeard) {
      isHeard = false;
      socket.ping();
      timer = setTimeout(ping, pingMs);
    } else end(`no answer to a ping within ${pingMs} ms`);
  };
  const live = (): void => {
    isLive = true;
    clearTimeout(timer);
    timer = setTimeout(ping, pingMs);
    onLive();
  };

  timer = setTimeout(() => end(`no subscription within ${timeoutMs} ms`), timeoutMs);
  socket.on('open', () => socket.send(SUBSCRIBE));
  socket.on('ping', hear);
  socket.on('pong', hear);
  socket.on('message', (data, isBinary) => {
    hear();
    if (isOver) return;
    const meaning = judge(parse(data, isBinary), isLive);
    if (meaning === 'head') onHead();
    else if (meaning === 'live') live();
    else if (meaning !== 'nothing') end(meaning.reason);
  });
  socket.on('close', (code) => end(`the node has closed the connection (${code})`));
  socket.on('error', ({ message }) => end(message));
  return close;
};
