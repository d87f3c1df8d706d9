import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { holdAnswer } from '../../../chain/jsonRpc/answerLimits.ts';
import { createJsonRpcClient } from '../../../chain/jsonRpc/jsonRpcClient.ts';
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { rejectionOf } from '../../support/refusals.ts';

type Reply = (id: number) => { status?: number; text: string } | undefined;

describe('the client of one node', () => {
  let server: Server;
  let port: number;
  let reply: Reply;
  let replyToBatch: (ids: readonly number[]) => ReturnType<Reply>;
  let headers: IncomingHttpHeaders;
  before(async () => {
    server = createServer(async (request, response) => {
      const body = JSON.parse(await text(request)) as { id: number } | { id: number }[];
      headers = request.headers;
      const answer = Array.isArray(body) ? replyToBatch(body.map(({ id }) => id)) : reply(body.id);
      if (answer !== undefined) response.writeHead(answer.status ?? 200).end(answer.text);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    port = (server.address() as AddressInfo).port;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const ask = (answer: Reply, timeoutMs = 60_000, credentials = ''): Promise<unknown> => {
    reply = answer;
    const url = `http://${credentials}127.0.0.1:${port}/key/of/mine`;
    return createJsonRpcClient({ url, timeoutMs, answerBytesMax: 1_000 }).request('eth_chainId', []);
  };
  const toReply = (id: number, rest: object) => ({ text: JSON.stringify({ jsonrpc: '2.0', id, ...rest }) });

  it('resolves with the result, null included', async () => {
    expect(await ask((id) => toReply(id, { result: '0x1' }))).to.equal('0x1');
    expect(await ask((id) => toReply(id, { result: null }))).to.equal(null);
  });

  it('ends its requests with its signal, also those that begin later', async () => {
    const ending = new AbortController();
    const options = { url: `http://127.0.0.1:${port}`, timeoutMs: 60_000, answerBytesMax: 1_000 };
    const { request } = createJsonRpcClient({ ...options, ending: ending.signal });
    const received = Promise.withResolvers<void>();
    reply = () => {
      received.resolve();
      return undefined;
    };
    const hanging = rejectionOf(request('eth_chainId', []));
    await received.promise;
    ending.abort();
    expect(await hanging).to.equal('CHAIN_UNAVAILABLE');
    expect(await rejectionOf(request('eth_chainId', []))).to.equal('CHAIN_UNAVAILABLE');
  });

  it("passes the node's own error on", async () => {
    const failing = ask((id) => ({
      ...toReply(id, { error: { code: 3, message: 'reverted', data: '0x01' } }),
      status: 400,
    }));
    const error = await failing.catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(RpcError).and.include({ code: 3, message: 'reverted', data: '0x01' });
  });

  describe('that answers with much', () => {
    const request = (method: string, params: readonly unknown[], toResult: () => string): Promise<unknown> => {
      reply = (id) => ({ text: `{"jsonrpc":"2.0","id":${id},"result":${toResult()}}` });
      const options = { url: `http://127.0.0.1:${port}`, timeoutMs: 60_000, answerBytesMax: 64 * 2 ** 20 };
      return createJsonRpcClient(options).request(method, params);
    };
    const attacks: Record<string, () => string> = {
      'many arrays': () => `[${'[],'.repeat(100_000)}[]]`,
      'many objects': () => `[${'{"1":1},'.repeat(100_000)}1]`,
      'deep arrays': () => `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
      'deep objects': () => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    };
    for (const [name, toResult] of Object.entries(attacks))
      it(`is not parsed with ${name}`, async () => {
        expect(await rejectionOf(request('eth_getBlockReceipts', ['0x1'], toResult))).to.equal('CHAIN_UNAVAILABLE');
      });

    it('is read with as many parts as blocks have, whatever is in their strings', async () => {
      const log = {
        topics: [`0x${'12'.repeat(32)}`, `0x${'34'.repeat(32)}`],
        logIndex: '0x0',
        removed: false,
        data: '[[[{{{,,,\\"[',
      };
      const logs = Array(10_000).fill(log);
      expect(await request('eth_getLogs', [], () => JSON.stringify(logs))).to.deep.equal(logs);
    });

    it('is never parsed as a whole', async () => {
      const receipts = Array.from({ length: 20_000 }, (_, at) => ({
        transactionHash: `0x${at}`.padEnd(66, 'a'),
        status: '0x1',
      }));
      const parse = JSON.parse;
      let longest = 0;
      JSON.parse = (text, reviver) => {
        longest = Math.max(longest, text.length);
        return parse(text, reviver);
      };
      try {
        expect(await request('eth_getBlockReceipts', [], () => JSON.stringify(receipts))).to.deep.equal(receipts);
      } finally {
        JSON.parse = parse;
      }
      expect(longest).to.be.within(1, 65_536);
    });

    it('is refused beyond what its method may have', async () => {
      const toResult = (): string => `"${'1'.repeat(5 * 2 ** 20)}"`;
      const refused = request('eth_getBlockByNumber', ['0x1', false], toResult);
      expect(await refused.catch((caught: unknown) => caught))
        .to.be.instanceOf(RpcError)
        .and.include({ code: -32_005 });
      expect(await request('eth_getBlockByNumber', ['0x1', true], toResult)).to.have.length(5 * 2 ** 20);
    });
  });

  describe('the room for answers', () => {
    it('is shared by all, and free again at the end of each', () => {
      const [first, second] = [holdAnswer(), holdAnswer()];
      expect([first.take(150 * 2 ** 20), second.take(50 * 2 ** 20)]).to.deep.equal([true, false]);
      first[Symbol.dispose]();
      expect(second.take(50 * 2 ** 20)).to.equal(true);
      second[Symbol.dispose]();
    });
  });

  const result = (id: number): string => toReply(id, { result: '0x1' }).text;
  const unusable: Record<string, Reply> = {
    'of another request': (id) => toReply(id + 1, { result: '0x1' }),
    'whose id is a string': (id) => ({ text: JSON.stringify({ jsonrpc: '2.0', id: String(id), result: '0x1' }) }),
    'of another protocol': (id) => ({ text: JSON.stringify({ jsonrpc: '1.0', id, result: '0x1' }) }),
    'without a result': (id) => toReply(id, {}),
    'with an empty error': (id) => toReply(id, { error: {} }),
    'with an error beside a result': (id) => toReply(id, { result: '0x1', error: { code: 'x' } }),
    'that is truncated': (id) => ({ text: result(id).slice(0, -1) }),
    'that is duplicated': (id) => ({ text: result(id) + result(id) }),
    'that is a list': (id) => ({ text: `[${result(id)}]` }),
    'that is no JSON': () => ({ text: '<html>', status: 502 }),
    'that is empty': () => ({ text: '' }),
    'with status 429': (id) => ({ ...toReply(id, { result: '0x1' }), status: 429 }),
    'with error -32002, busy': (id) => toReply(id, { error: { code: -32_002, message: 'busy' } }),
  };
  for (const [name, answer] of Object.entries(unusable)) {
    it(`treats an answer ${name} as a failed call`, async () => {
      expect(await rejectionOf(ask(answer))).to.equal('CHAIN_UNAVAILABLE');
    });
  }

  it('gives up on a node that does not answer in time', async () => {
    expect(await rejectionOf(ask(() => undefined, 50))).to.equal('CHAIN_UNAVAILABLE');
  });

  it('refuses an answer over its size limit', async () => {
    const error = await ask((id) => toReply(id, { result: 'x'.repeat(2_000) })).catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(RpcError).and.include({ code: -32_005 });
  });

  it('sends the password of the URL in a header, and shows neither the password nor the path', async () => {
    await ask((id) => toReply(id, { result: '0x1' }), 60_000, 'me:s%40cret@');
    expect(headers.authorization).to.equal(`Basic ${Buffer.from('me:s@cret').toString('base64')}`);
    const error = (await ask(() => ({ text: '' }), 60_000, 'me:s%40cret@').catch((caught: unknown) => caught)) as Error;
    expect(error.message).to.contain(`http://127.0.0.1:${port}`);
    expect(error.message).to.not.match(/cret|key/);
  });

  describe('sends a batch, and', () => {
    const askBatch = (answer: (ids: readonly number[]) => unknown): Promise<unknown[]> => {
      replyToBatch = (ids) => ({ text: JSON.stringify(answer(ids)) });
      const client = createJsonRpcClient({
        url: `http://127.0.0.1:${port}/`,
        timeoutMs: 60_000,
        answerBytesMax: 1_000,
      });
      return client.requestBatch([1, 2, 3].map((number) => ({ method: 'double', params: [number] })));
    };
    const toAnswers = (ids: readonly number[]) => ids.map((id, at) => ({ jsonrpc: '2.0', id, result: 2 * at }));
    const error = { code: -32_601, message: 'none' };

    it('resolves with the results in order, whatever the order of the answers', async () => {
      expect(await askBatch(toAnswers)).to.deep.equal([0, 2, 4]);
      expect(await askBatch((ids) => toAnswers(ids).toReversed())).to.deep.equal([0, 2, 4]);
    });

    it("passes the node's own error on, in place of one result or for all", async () => {
      const failOne = (ids: readonly number[]) =>
        toAnswers(ids).with(1, { jsonrpc: '2.0', id: ids[1], error } as never);
      const [first, second, third] = (await askBatch(failOne)) as unknown[];
      expect([first, third]).to.deep.equal([0, 4]);
      expect(second).to.be.instanceOf(RpcError).and.include(error);
      const caught = await askBatch(() => ({ jsonrpc: '2.0', id: null, error })).catch((one: unknown) => one);
      expect(caught).to.be.instanceOf(RpcError).and.include(error);
    });

    it('treats anything else than one answer to each call as a failed batch', async () => {
      for (const answer of [
        (ids: readonly number[]) => toAnswers(ids).slice(1),
        (ids: readonly number[]) => [...toAnswers(ids).slice(1), toAnswers(ids)[1]],
        (ids: readonly number[]) => toAnswers(ids).with(1, null as never),
        (ids: readonly number[]) => toAnswers(ids)[0],
        () => 'text',
      ])
        expect(await rejectionOf(askBatch(answer))).to.equal('CHAIN_UNAVAILABLE');
    });
  });
});
