// A proxy of a node that hangs: it takes requests, and answers none of them.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface HangProxy {
  readonly url: string;
  /** Which requests it doesn't answer, by their method; `all` for all. */
  hanging: 'all' | 'none' | readonly string[];
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
    const answered = await fetch(target, { method: 'POST', headers, body }).catch(() => undefined);
    if (answered === undefined) request.socket.destroy();
    else response.writeHead(200, headers).end(await answered.text());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy: HangProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hanging: 'none',
    hung: 0,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return proxy;
};
