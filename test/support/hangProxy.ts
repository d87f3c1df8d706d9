// A proxy of a node that hangs: it takes requests, and answers none of them; or that refuses every transaction.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface HangProxy {
  readonly url: string;
  /** Which requests it doesn't answer, by their method; `all` for all. */
  hanging: 'all' | 'none' | readonly string[];
  /** Whether it answers each transaction with an error, as a node does whose pool is full. */
  isFull: boolean;
  /** Requests that it didn't answer. */
  hung: number;
  close(): Promise<void>;
}

/** A proxy of the node at `target`. */
export const createHangProxy = async (target: string): Promise<HangProxy> => {
  const isHanging = (body: string): boolean => {
    const { hanging } = proxy;
    if (typeof hanging === 'string') return hanging === 'all';
    return hanging.some((method) => body.includes(`"${method}"`));
  };
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    if (isHanging(body)) {
      proxy.hung += 1;
      return;
    }
    const headers = { 'content-type': 'application/json' };
    if (proxy.isFull && body.includes('"eth_sendRawTransaction"')) {
      const { id } = JSON.parse(body) as { id: number };
      const error = { code: -32_000, message: 'transaction pool is full' };
      response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      return;
    }
    const answered = await fetch(target, { method: 'POST', headers, body }).catch(() => undefined);
    if (answered === undefined) request.socket.destroy();
    else response.writeHead(200, headers).end(await answered.text());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy: HangProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hanging: 'none',
    isFull: false,
    hung: 0,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return proxy;
};
