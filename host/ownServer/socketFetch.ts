// `fetch` through a Unix socket, which Node's own doesn't reach.
import { type IncomingMessage, request as startRequest } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { toSocketAddress } from '../operator/controlServer.ts';

/** Sends a request, as the global `fetch` does. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Statuses of responses without a body. */
const EMPTY = [204, 205, 304];

const toPairs = ({ rawHeaders }: IncomingMessage): [string, string][] =>
  Array.from({ length: rawHeaders.length / 2 }, (_, at) => [rawHeaders[2 * at]!, rawHeaders[2 * at + 1]!]);

const toResponse = (message: IncomingMessage): Response => {
  const status = message.statusCode!;
  const hasBody = !EMPTY.includes(status);
  if (!hasBody) message.resume();
  const body = hasBody ? (Readable.toWeb(message) as ReadableStream) : null;
  return new Response(body, { status, headers: toPairs(message) });
};

// The body of a form has its boundary in a header, and is read while it is sent.
const send = (socketPath: string, { url, method, headers, body, signal }: Request): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { host, pathname, search } = new URL(url);
    const sent = startRequest(
      {
        socketPath,
        method,
        path: `${pathname}${search}`,
        headers: { ...Object.fromEntries(headers), host },
        signal,
        // A connection of its own: the server may have ended one that was idle while this process was busy.
        agent: false,
      },
      (message) => resolve(toResponse(message)),
    );
    sent.once('error', reject);
    if (body === null) sent.end();
    else pipeline(Readable.fromWeb(body as ReadableStream), sent).catch(reject);
  });

/**
 * Returns a `fetch` through the socket at this path, which doesn't follow redirects. The scheme of a URL doesn't
 * matter, its host is the header's. It rejects with a TypeError that has the connection's error as its cause.
 */
export const createSocketFetch =
  (path: string): Fetch =>
  async (url, init) => {
    const address = toSocketAddress(path);
    return send(address, new Request(url, init)).catch((cause: unknown) => {
      throw new TypeError('fetch failed', { cause });
    });
  };
