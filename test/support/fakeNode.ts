// A node for faults that no real node has on demand, and for answers of chains that don't run in tests: JSON-RPC over
// HTTP on the loopback interface, method by method.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The behaviour for a request: returns a result, or writes the response itself. */
export type Behaviour = { readonly result: unknown } | ((response: ServerResponse) => void);

export interface FakeNode {
  readonly url: string;
  /** Methods in the order of their requests. */
  readonly requested: string[];
  /** Whether this request was received and is not answered completely. */
  isHanging(method: string, params: readonly unknown[]): boolean;
  close(): void;
}

export const hang: Behaviour = () => undefined;

/** Sends half of an answer, and then nothing. */
export const stopHalfWay: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":"2.0","id":1,"result":{"num');
};

/** Sends until the client stops reading. */
export const sendEndlessly: Behaviour = (response) => {
  const chunk = ' '.repeat(65_536);
  const write = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', write);
  write();
};

export const sendText =
  (text: string, status = 200): ((response: ServerResponse) => void) =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(text);

const toName = (method: string, params: readonly unknown[]): string =>
  method === 'eth_getBlockByNumber' ? `${method} ${params[0]}` : method;

/**
 * Listens; `answers` has the methods that it offers, or one behaviour for all. `onAsked` runs after each request has
 * been met.
 */
export const startFakeNode = async (
  answers: Readonly<Record<string, Behaviour>> | Behaviour,
  onRequest: () => void = () => undefined,
): Promise<FakeNode> => {
  const requested: string[] = [];
  const responses = new Map<string, ServerResponse>();
  const find = (id: number, name: string): Behaviour => {
    if (typeof answers === 'function') return answers;
    const missing = sendText(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"no such method"}}`);
    return (answers as Readonly<Record<string, Behaviour>>)[name] ?? missing;
  };
  const meet = (response: ServerResponse, id: number, behaviour: Behaviour): void => {
    const respond =
      typeof behaviour === 'function'
        ? behaviour
        : sendText(JSON.stringify({ jsonrpc: '2.0', id, result: behaviour.result }));
    respond(response);
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { id, method, params } = JSON.parse(text) as { id: number; method: string; params: unknown[] };
    requested.push(method);
    const name = toName(method, params);
    responses.set(name, response);
    meet(response, id, find(id, name));
    onRequest();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested,
    isHanging: (method, params) => responses.get(toName(method, params))?.writableEnded === false,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
