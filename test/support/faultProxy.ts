// A proxy between a client and a node with the faults of networks: it loses, delays, cuts and repeats requests and
// answers. Its random numbers alone decide the faults.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { delay } from './until.ts';

/**
 * The faults of a request. `repeat` sends it twice; `stale` answers with the answer before it; `noLogs` finds nothing
 * in a block.
 */
export const PROXY_FAULTS = [
  'loseRequest',
  'loseAnswer',
  'delay',
  'delayLong',
  'cut',
  'repeat',
  'stale',
  'twice',
  'badGateway',
  'noLogs',
] as const;
export type ProxyFault = (typeof PROXY_FAULTS)[number] | 'none';

export interface FaultProxy {
  readonly url: string;
  /** Share of requests with a fault, from 0 to 1. */
  rate: number;
  /** Timeout of its client. A long delay is longer. */
  timeoutMs: number;
  /** Number of occurrences of each fault. */
  readonly counts: Map<ProxyFault, number>;
  close(): Promise<void>;
}

const DELAY_MS = 40;
/** Time between its client's timeout and an answer with a long delay. */
const LATE_MS = 50;

const ask = async (target: string, body: string): Promise<string> => {
  const response = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return response.text();
};

/** A proxy of the node at `target`. */
export const createFaultProxy = async (options: {
  target: string;
  random: () => number;
  rate: number;
  timeoutMs: number;
}): Promise<FaultProxy> => {
  const { target, random } = options;
  const counts = new Map<ProxyFault, number>();
  const closing = new AbortController();
  let before = '{"jsonrpc":"2.0","id":0,"result":"0x0"}';

  // Each kind once in random order, then all independently: a few proxies have every kind, and bursts of one remain.
  const undealt = [...PROXY_FAULTS];
  const pickKind = (): ProxyFault =>
    undealt.length > 0
      ? undealt.splice(Math.floor(random() * undealt.length), 1)[0]!
      : PROXY_FAULTS[Math.floor(random() * PROXY_FAULTS.length)]!;

  const pick = (): ProxyFault => {
    const fault = random() < proxy.rate ? pickKind() : 'none';
    counts.set(fault, (counts.get(fault) ?? 0) + 1);
    return fault;
  };

  const spoil = (fault: ProxyFault, body: string, answer: string): string => {
    if (fault === 'noLogs' && body.includes('"eth_getBlockReceipts"'))
      return JSON.stringify(JSON.parse(answer, (name, value) => (name === 'logs' ? [] : value)));
    if (fault === 'cut') return answer.slice(0, Math.floor(answer.length * random()));
    if (fault === 'stale') return before;
    return fault === 'twice' ? answer + answer : answer;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const fault = pick();
    if (fault === 'loseRequest') return void request.socket.destroy();
    if (fault === 'badGateway') return void response.writeHead(502).end('<html>');
    if (fault === 'repeat') await ask(target, body);
    const answer = await ask(target, body);
    if (fault === 'loseAnswer') return void request.socket.destroy();
    if (fault.startsWith('delay')) {
      const ms = fault === 'delay' ? DELAY_MS * random() : proxy.timeoutMs + LATE_MS;
      await delay(ms, { signal: closing.signal });
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(spoil(fault, body, answer));
    before = answer;
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rate: options.rate,
    timeoutMs: options.timeoutMs,
    counts,
    close: async () => {
      closing.abort();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
};
