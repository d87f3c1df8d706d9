// A node that lags behind: it does not have the chain's blocks after a given one. It forwards transactions.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface LagProxy {
  readonly url: string;
  /** Number of its newest block; undefined: the chain's newest. */
  newest: number | undefined;
  /** Requests that it received. */
  requests: number;
  close(): Promise<void>;
}

interface RelayedRequest {
  readonly method: string;
  readonly params: unknown[];
}

const numberOf = (result: unknown): number => {
  const { number, blockNumber } = (result ?? {}) as { number?: string; blockNumber?: string };
  return Number(number ?? blockNumber ?? 0);
};

/** A proxy of the node at `target`, on `port` or any other. */
export const createLagProxy = async (target: string, port = 0): Promise<LagProxy> => {
  const ask = async (call: RelayedRequest): Promise<{ result?: unknown }> => {
    const headers = { 'content-type': 'application/json' };
    return (await (await fetch(target, { method: 'POST', headers, body: JSON.stringify(call) })).json()) as object;
  };
  const answer = async (call: RelayedRequest): Promise<object> => {
    const { newest } = proxy;
    if (newest === undefined) return ask(call);
    const params = call.params.map((param) => (param === 'latest' ? `0x${newest.toString(16)}` : param));
    const answered = await ask({ ...call, params });
    return numberOf(answered.result) > newest ? { ...answered, result: null } : answered;
  };
  const server = createServer(async (request, response) => {
    proxy.requests += 1;
    try {
      const calls = (await json(request)) as RelayedRequest | RelayedRequest[];
      const answers = Array.isArray(calls) ? Promise.all(calls.map(answer)) : answer(calls);
      response.end(JSON.stringify(await answers));
    } catch {
      request.socket.destroy();
    }
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const proxy: LagProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    newest: undefined,
    requests: 0,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return proxy;
};
