// A proxy of a node that loses or refuses transactions that the test chooses.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { toTransactionHash } from '../../chain/jsonRpc/chainQueries.ts';
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';

/** `lose`: it is answered as accepted, and the node doesn't get it. */
export type SendFault = 'lose' | 'refuse' | 'none';

export interface SendProxy {
  readonly url: string;
  /** Decides about a transaction by its place among the different ones, from 0, and by how often it came before. */
  onSend: (place: number, times: number) => SendFault;
  /** Different transactions that came. */
  readonly sent: ReadonlyMap<Hex, number>;
  close(): Promise<void>;
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A proxy of the node at `target`. */
export const createSendProxy = async (target: string): Promise<SendProxy> => {
  const sent = new Map<Hex, number>();
  const judge = (raw: Hex): SendFault => {
    const times = sent.get(raw) ?? 0;
    sent.set(raw, times + 1);
    return proxy.onSend([...sent.keys()].indexOf(raw), times);
  };
  const answer = async (body: string): Promise<string> => {
    // Transactions don't come in batches.
    const { id, method, params } = JSON.parse(body) as Partial<Call>;
    const raw = params?.[0] as Hex;
    const fault = method === 'eth_sendRawTransaction' ? judge(raw) : 'none';
    if (fault === 'lose') return JSON.stringify({ jsonrpc: '2.0', id, result: toTransactionHash(fromHex(raw)) });
    if (fault === 'refuse') {
      return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: 'txpool is full' } });
    }
    const headers = { 'content-type': 'application/json' };
    return (await fetch(target, { method: 'POST', headers, body })).text();
  };
  const server = createServer((request, response) => {
    text(request)
      .then(answer)
      .then((answered) => response.writeHead(200, { 'content-type': 'application/json' }).end(answered))
      .catch(() => request.socket.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy: SendProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    onSend: () => 'none',
    sent,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return proxy;
};
