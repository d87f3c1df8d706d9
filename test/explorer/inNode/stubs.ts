// What a browser has and Node has not, for tests of parts of the explorer: a document, and a server to which addresses
// without a host lead.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that a page sent. */
export interface SentRequest {
  readonly path: string;
  readonly body: string;
}

/** Answers a request itself, or by what it returns, as JSON. */
export type Answer = (request: SentRequest, response: ServerResponse) => unknown;

interface Stubs {
  /** By the path of a request without what follows the question mark; others are answered 404. */
  readonly answers: Map<string, Answer>;
  readonly sent: SentRequest[];
  readonly document: EventTarget & { title: string; visibilityState: string };
}

// Where the `fetch` of Node (undici) looks for the origin of a page, as `setGlobalOrigin` of undici sets it.
const ORIGIN = Symbol.for('undici.globalOrigin.1');

const define = (name: string | symbol, value: unknown): void => {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
};

/** Registers mocha hooks that provide all of it. */
export const useStubs = (): Stubs => {
  const document = Object.assign(new EventTarget(), { title: '', visibilityState: 'visible' });
  const stubs: Stubs = { answers: new Map(), sent: [], document };
  const server = createServer(async (message, response) => {
    const request = { path: message.url!, body: await text(message) };
    stubs.sent.push(request);
    const answer = stubs.answers.get(request.path.split('?')[0]!);
    if (answer === undefined) response.statusCode = 404;
    const body = answer === undefined ? {} : answer(request, response);
    if (body !== undefined) response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    define(ORIGIN, new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
    define('document', document);
  });
  after(async () => {
    for (const name of [ORIGIN, 'document']) Reflect.deleteProperty(globalThis, name);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    stubs.answers.clear();
    stubs.sent.length = 0;
    Object.assign(document, { title: '', visibilityState: 'visible' });
  });
  return stubs;
};

/** A token that claims this. */
export const toToken = (claims: object): string => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
