import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createRpcClient } from '../../../chain/jsonRpc/rpcRequest.ts';
import { rejectionOf } from '../../support/refusals.ts';

describe('JSON-RPC client', () => {
  let server: Server;
  let url: string;
  let answer: { status: number; text: string | undefined };
  let requested: { id: number };
  before(async () => {
    server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      requested = JSON.parse(text);
      if (answer.text !== undefined)
        response.writeHead(answer.status).end(answer.text.replace('"id":1', `"id":${requested.id}`));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const ask = (text: string | undefined, status = 200, timeoutMs = 60_000): Promise<unknown> => {
    answer = { status, text };
    return createRpcClient(url, timeoutMs)('eth_chainId', ['latest', false]);
  };

  it('sends the method with its parameters and resolves with the result', async () => {
    expect(await ask('{"jsonrpc":"2.0","id":1,"result":"0x1"}')).to.equal('0x1');
    expect(requested).to.deep.include({ jsonrpc: '2.0', method: 'eth_chainId', params: ['latest', false] });
  });

  it('resolves with null where the node has nothing', async () => {
    expect(await ask('{"jsonrpc":"2.0","id":1,"result":null}')).to.equal(null);
  });

  const refused: readonly [string, string, number?][] = [
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}'],
    ['an error of HTTP', '<html>Bad gateway</html>', 502],
    ['something that is not JSON', 'hello'],
    ['nothing', ''],
    ['null', 'null'],
    ['a number', '1'],
    ['a list', '[]'],
    ['neither a result nor an error', '{}'],
    ['an error that is null beside no result', '{"error":null}'],
  ];
  for (const [name, text, status] of refused) {
    it(`rejects when the node answers with ${name}`, async () => {
      expect(await rejectionOf(ask(text, status))).to.equal('CHAIN_UNAVAILABLE');
    });
  }

  it('rejects when the node does not answer in time', async () => {
    expect(await rejectionOf(ask(undefined, 200, 50))).to.equal('CHAIN_UNAVAILABLE');
  });

  it('rejects when the answer is over the size limit', async () => {
    answer = { status: 200, text: JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(100) }) };
    const fetchWith = (bytesMax: number) => createRpcClient(url, 60_000, bytesMax)('eth_chainId', []);
    expect(await fetchWith(200)).to.equal('x'.repeat(100));
    expect(await rejectionOf(fetchWith(100))).to.equal('CHAIN_UNAVAILABLE');
  });

  it('rejects when no server listens', async () => {
    const client = createRpcClient('http://127.0.0.1:1', 60_000);
    expect(await rejectionOf(client('eth_chainId', []))).to.equal('CHAIN_UNAVAILABLE');
  });
});
