// A proxy of a node that answers some calls falsely.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { FalseAnswerKind } from './falseAnswers.ts';

export interface LyingProxy {
  readonly url: string;
  /** What it answers falsely; undefined: nothing. */
  lie: FalseAnswerKind | undefined;
  /** False answers since `lie` was set by `answer`. */
  lies: number;
  /** Requests since then. */
  requests: number;
  answer(lie: FalseAnswerKind | undefined): void;
  close(): Promise<void>;
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A proxy of the node at `target`. */
export const createLyingProxy = async (target: string): Promise<LyingProxy> => {
  const relay = async (call: Call): Promise<{ result?: unknown }> => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', ...call });
    return (await (await fetch(target, { method: 'POST', headers, body })).json()) as object;
  };
  const ask = async (method: string, params: readonly unknown[]): Promise<unknown> =>
    (await relay({ id: 1, method, params })).result;
  const answer = async (call: Call): Promise<object> => {
    const honest = await relay(call);
    const { result } = honest;
    if (proxy.lie === undefined || (result == null && proxy.lie.invents !== true)) return honest;
    const falsified = await proxy.lie.falsify(structuredClone(result) as never, { ...call, ask });
    if (JSON.stringify(falsified) === JSON.stringify(result)) return honest;
    proxy.lies += 1;
    return { ...honest, result: falsified };
  };
  const server = createServer(async (request, response) => {
    proxy.requests += 1;
    try {
      const calls = (await json(request)) as Call | Call[];
      const answers = Array.isArray(calls) ? Promise.all(calls.map(answer)) : answer(calls);
      response.end(JSON.stringify(await answers));
    } catch {
      request.socket.destroy();
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy: LyingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: undefined,
    lies: 0,
    requests: 0,
    answer: (lie) => void Object.assign(proxy, { lie, lies: 0, requests: 0 }),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return proxy;
};
