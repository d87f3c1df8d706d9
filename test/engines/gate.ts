// A gate between the ledger and a node that this run didn't start: it is closed or suspended in the node's place.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { until } from '../support/until.ts';

/** Closed: connections end. Suspended: nothing is answered until it is open again. */
export type GateState = 'open' | 'closed' | 'suspended';

export interface Gate {
  readonly url: string;
  set(state: GateState): void;
  close(): Promise<void>;
}

// fetch refuses a URL with a user name.
const toTarget = (url: string): { target: string; headers: Record<string, string> } => {
  const target = new URL(url);
  const word = `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`;
  const authorization = `Basic ${Buffer.from(word).toString('base64')}`;
  const type = { 'content-type': 'application/json' };
  const headers = target.username === '' ? type : { ...type, authorization };
  target.username = '';
  target.password = '';
  return { target: target.href, headers };
};

/** A gate to the node at `url`, which is open. */
export const createGate = async (url: string): Promise<Gate> => {
  const { target, headers } = toTarget(url);
  let state: GateState = 'open';
  const server = createServer(async (request, response) => {
    try {
      const body = await text(request);
      await until(() => state !== 'suspended');
      if (state === 'closed') throw new Error('the gate is closed');
      const answer = await fetch(target, { method: 'POST', headers, body });
      response.writeHead(answer.status).end(await answer.text());
    } catch {
      request.socket.destroy();
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (next) => {
      state = next;
      if (next === 'closed') server.closeAllConnections();
    },
    close: async () => {
      state = 'closed';
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
