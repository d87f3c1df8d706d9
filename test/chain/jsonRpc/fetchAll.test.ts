import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { fetchAll } from '../../../chain/jsonRpc/fetchAll.ts';
import { createJsonRpcClient, type JsonRpcClient } from '../../../chain/jsonRpc/jsonRpcClient.ts';
import { createNodeMarks } from '../../../chain/jsonRpc/nodeMarks.ts';
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { failureOf, rejectionOf } from '../../support/refusals.ts';

describe('many calls of one node', () => {
  let sizes: number[];
  let nowMs: number;
  beforeEach(() => {
    nowMs = 0;
  });
  const clientOf = (callsMax: number): JsonRpcClient => {
    sizes = [];
    return {
      name: 'node',
      marks: createNodeMarks(() => nowMs),
      request: async (_method, [number]) => {
        sizes.push(1);
        if (number === 13) throw new RpcError(-32_000, 'none');
        return Number(number) * 2;
      },
      requestBatch: async (calls) => {
        sizes.push(calls.length);
        if (calls.length > callsMax) throw new RpcError(-32_600, 'too many');
        return calls.map(({ params: [number] }) => Number(number) * 2);
      },
    };
  };
  const callsOf = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ method: 'double', params: [from + at] }));

  it('are sent in few batches and answered in order', async () => {
    const answers = await fetchAll(clientOf(1_000), callsOf(100, 150));
    expect(answers).to.deep.equal(Array.from({ length: 150 }, (_, at) => 2 * (100 + at)));
    expect(sizes).to.deep.equal([64, 64, 22]);
    expect(await fetchAll(clientOf(1_000), [])).to.deep.equal([]);
  });

  it('are sent in halves where the node refuses a batch, and in such batches for a minute', async () => {
    const client = clientOf(20);
    expect(await fetchAll(client, callsOf(100, 100))).to.have.length(100);
    expect(sizes.slice(0, 5)).to.deep.equal([64, 1, 32, 1, 16]);
    sizes.length = 0;
    await fetchAll(client, callsOf(100, 32));
    await fetchAll(client, [{ method: 'half', params: [1] }, ...callsOf(100, 19)]);
    expect(sizes).to.deep.equal([16, 16, 20]);
    sizes.length = 0;
    nowMs += 60_000;
    await fetchAll(client, callsOf(100, 20));
    expect(sizes).to.deep.equal([20]);
  });

  it('are sent alone where the node refuses all batches, and reject as one alone does', async () => {
    const client = clientOf(0);
    expect(await fetchAll(client, callsOf(20, 4))).to.deep.equal([40, 42, 44, 46]);
    expect(await fetchAll(client, callsOf(10, 4)).catch(({ message }) => message)).to.equal('none');
  });

  it('reject when the node does not answer', async () => {
    const away = () => Promise.reject(new LedgerError('CHAIN_UNAVAILABLE'));
    const client = { ...clientOf(9), request: away, requestBatch: away };
    expect(await rejectionOf(fetchAll(client, callsOf(0, 9)))).to.equal('CHAIN_UNAVAILABLE');
  });

  describe('over HTTP, of which some fail', () => {
    let failing: (number: number) => boolean;
    let batchMax = 64;
    let refuse: (response: ServerResponse, calls: { id: number }[]) => unknown;
    let url: string;
    const answer = ({ id, params: [number] }: { id: number; params: number[] }) =>
      failing(number!)
        ? { jsonrpc: '2.0', id, error: { code: -32_005, message: 'limit exceeded' } }
        : { jsonrpc: '2.0', id, result: 2 * number! };
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const body = JSON.parse(text);
      sizes.push(Array.isArray(body) ? body.length : 1);
      if (sizes.at(-1)! > batchMax) {
        refuse(response, body);
        return;
      }
      response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)));
    });
    before(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    after(() => server.close());
    const open = (): JsonRpcClient => {
      sizes = [];
      return createJsonRpcClient({ url, timeoutMs: 60_000, answerBytesMax: 2 ** 20, now: () => nowMs });
    };

    it('stay in large batches, whatever one call is refused for', async () => {
      const client = open();
      failing = (number) => number === 40;
      expect(await failureOf(fetchAll(client, callsOf(0, 64)))).to.include({ code: -32_005 });
      failing = () => false;
      expect(await fetchAll(client, callsOf(0, 64))).to.have.length(64);
      expect(sizes).to.deep.equal([64, 1, 64]);
    });

    const error = { jsonrpc: '2.0', error: { code: -32_600, message: 'batch too large' } };
    const forms: Record<string, typeof refuse> = {
      'an error': (response) => response.end(JSON.stringify({ ...error, id: null })),
      'a list of one error, as geth': (response, calls) =>
        response.end(JSON.stringify([{ ...error, id: calls[0]!.id }])),
      'status 413': (response) => response.writeHead(413).end('too large'),
      'the end of the connection': (response) => response.destroy(),
    };
    for (const [name, form] of Object.entries(forms))
      it(`are sent in smaller batches where one is refused by ${name}`, async () => {
        const client = open();
        failing = () => false;
        refuse = form;
        batchMax = 20;
        expect(await fetchAll(client, callsOf(0, 100))).to.deep.equal(callsOf(0, 100).map((_, at) => 2 * at));
        expect(sizes.slice(0, 5)).to.deep.equal([64, 1, 32, 1, 16]);
        batchMax = 64;
      });

    it('are repeated without those that the node answered, in halves for a minute', async () => {
      const client = open();
      const refused = new Set([3, 50, 51]);
      failing = (number) => refused.delete(number);
      expect(await fetchAll(client, callsOf(0, 64))).to.deep.equal(callsOf(0, 64).map((_, at) => 2 * at));
      await fetchAll(client, callsOf(0, 64));
      nowMs += 60_000;
      await fetchAll(client, callsOf(0, 64));
      expect(sizes).to.deep.equal([64, 1, 2, 32, 32, 64]);
    });
  });
});
