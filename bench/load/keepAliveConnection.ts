// A connection that posts JSON and reads the answers with as little work as possible, because the load generator shares
// the cores with the server that it measures. It reads what this server sends, HTTP/1.1 with a content length, and
// refuses everything else.
import { connect, type Socket } from 'node:net';

/** An answer. Its body is read as Latin-1, one character a byte. */
export interface PostAnswer {
  readonly status: number;
  readonly body: string;
}

/** One persistent connection, with one request at a time. */
export interface KeepAliveConnection {
  /** Posts a body of ASCII characters. Rejects when the connection ends or no answer arrives within a minute. */
  post(path: string, body: string): Promise<PostAnswer>;
  close(): void;
}

interface Waiting {
  readonly resolve: (answer: PostAnswer) => void;
  readonly reject: (error: Error) => void;
}

const BUFFER_BYTES = 65_536;
const ANSWER_MS_MAX = 60_000;
const HEAD_END = '\r\n\r\n';
const STATUS = /^HTTP\/1\.1 (\d{3}) /;
const LENGTH = /\r\ncontent-length: (\d+)(?:\r\n|$)/i;

/**
 * Reads one answer from the bytes that have arrived, as Latin-1 text; undefined when some are missing.
 * @throws Error when it is no HTTP/1.1 answer with a content length, or more follows it
 */
export const readAnswer = (received: string): PostAnswer | undefined => {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = received.slice(0, headEnd);
  const [status, length] = [STATUS.exec(head)?.[1], LENGTH.exec(head)?.[1]];
  if (status === undefined || length === undefined) throw new Error(`the load generator cannot read: ${head}`);
  const end = headEnd + HEAD_END.length + Number(length);
  if (received.length < end) return undefined;
  if (received.length > end) throw new Error(`more follows the answer: ${received.slice(end)}`);
  return { status: Number(status), body: received.slice(headEnd + HEAD_END.length) };
};

/** Opens a connection to a server. `headers` are sent with every request, besides those that describe the body. */
export const openConnection = (base: URL, headers: Readonly<Record<string, string>>): KeepAliveConnection => {
  let received = '';
  let waiting: Waiting | undefined;
  const fail = (error: Error): void => {
    waiting?.reject(error);
    waiting = undefined;
    socket.destroy();
  };
  const take = (text: string): void => {
    received += text;
    const answer = readAnswer(received);
    if (answer === undefined) return;
    received = '';
    const { resolve } = waiting!;
    waiting = undefined;
    resolve(answer);
  };
  // One buffer for all that is read, in place of a new one each time.
  const callback = (bytes: number, buffer: Uint8Array): boolean => {
    try {
      take((buffer as Buffer).toString('latin1', 0, bytes));
    } catch (error) {
      fail(error as Error);
    }
    return true;
  };
  const onread = { buffer: Buffer.alloc(BUFFER_BYTES), callback };
  const socket: Socket = connect({ host: base.hostname, port: Number(base.port), noDelay: true, onread });
  socket.setTimeout(ANSWER_MS_MAX, () => fail(new Error(`no answer within ${ANSWER_MS_MAX / 1000} s`)));
  socket.once('error', fail).once('close', () => fail(new Error('the server closed the connection')));
  const lines = Object.entries({ host: base.host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const common = `HTTP/1.1\r\n${lines.join('')}content-length: `;

  return {
    post: (path, body) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) throw new Error('the connection is closed');
        waiting = { resolve, reject };
        socket.write(`POST ${base.pathname}${path} ${common}${body.length}\r\n\r\n${body}`, 'latin1');
      }),
    close: () => socket.destroy(),
  };
};
