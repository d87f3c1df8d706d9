import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { expect } from 'chai';
import type { EmbeddedChain } from '../../../../chain/embedded/embeddedChain.ts';
import { BATCH_CHARACTERS_MAX, BATCH_MAX } from '../../../../chain/embedded/rpc/answerJsonRpc.ts';
import type { RpcAnswer } from '../../../../chain/embedded/rpc/publicChain.ts';
import { createRpcServer, type RpcServer, type RpcServerOptions } from '../../../../chain/embedded/rpc/rpcServer.ts';
import { createRpcTurns } from '../../../../host/rpcTurns.ts';
import { CHAIN_ID, createChains } from '../fixtures.ts';

interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };

const send = async (port: number, body: string | Buffer, options: http.RequestOptions = {}): Promise<Reply> => {
  const address = { port, host: '127.0.0.1', method: 'POST', headers: JSON_TYPE, agent: false };
  const request = http.request({ ...address, ...options });
  request.end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const chunks: Buffer[] = await response.toArray();
  return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() };
};

const toBody = (method: string, params: unknown[] = [], id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

describe('RPC server', () => {
  const chains = createChains();
  const servers: RpcServer[] = [];
  const errors: unknown[] = [];
  let chain: EmbeddedChain;

  const serve = async (options: Partial<RpcServerOptions> = {}): Promise<RpcServer> => {
    const onError = (error: unknown): void => void errors.push(error);
    const server = await createRpcServer({ answer: chain.answer, host: '127.0.0.1', port: 0, onError, ...options });
    servers.push(server);
    return server;
  };

  before(async () => {
    chain = await chains.start(await chains.makeDirectory());
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    expect(errors.splice(0)).to.deep.equal([]);
  });
  after(() => chains.clean());

  const ask = async (body: string): Promise<unknown> => {
    const { port } = await serve();
    const { status, text } = await send(port, body);
    return text === '' ? status : JSON.parse(text);
  };
  const codeOf = (reply: unknown): number | undefined => (reply as { error?: { code: number } }).error?.code;

  describe('JSON-RPC', () => {
    it('answers with the id of the request', async () => {
      for (const id of [1, 0, -1.5, 'a "b"', '', null]) {
        const result = `0x${CHAIN_ID.toString(16)}`;
        expect(await ask(toBody('eth_chainId', [], id))).to.deep.equal({ jsonrpc: '2.0', id, result });
      }
    });

    it('answers a batch in order, errors among results, without notifications', async () => {
      const batch = `[${toBody('eth_chainId', [], 'a')},${toBody('evm_mine', [], 'b')},{"jsonrpc":"2.0","method":"eth_chainId"},7,${toBody('net_version', [], 'c')}]`;
      const replies = (await ask(batch)) as { id: unknown; result?: unknown; error?: { code: number } }[];
      expect(replies.map(({ id, result, error }) => [id, result ?? error?.code])).to.deep.equal([
        ['a', `0x${CHAIN_ID.toString(16)}`],
        ['b', -32601],
        [null, -32600],
        ['c', String(CHAIN_ID)],
      ]);
    });

    it('does not answer notifications alone', async () => {
      expect(await ask('{"jsonrpc":"2.0","method":"eth_chainId"}')).to.equal(204);
      expect(await ask('[{"jsonrpc":"2.0","method":"nothing_here"}]')).to.equal(204);
    });

    it('treats omitted parameters as none', async () => {
      expect(await ask('{"jsonrpc":"2.0","id":1,"method":"net_version"}')).to.include({ result: String(CHAIN_ID) });
    });

    const refused: [string, string, number][] = [
      ['text that is no JSON', '{"jsonrpc":', -32700],
      ['an empty body', '', -32700],
      ['an empty batch', '[]', -32600],
      ['a number', '7', -32600],
      ['null', 'null', -32600],
      ['another version', '{"jsonrpc":"1.0","id":1,"method":"eth_chainId"}', -32600],
      ['no method', '{"jsonrpc":"2.0","id":1}', -32600],
      ['a method that is no name', '{"jsonrpc":"2.0","id":1,"method":7}', -32600],
      ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"eth_chainId"}', -32600],
      ['named parameters', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":{"a":1}}', -32602],
      ['a method of every object', toBody('constructor'), -32601],
      ['too many in one batch', `[${Array(BATCH_MAX + 1).fill(toBody('eth_chainId'))}]`, -32005],
    ];
    for (const [name, body, code] of refused) {
      it(`refuses ${name} with ${code}`, async () => expect(codeOf(await ask(body))).to.equal(code));
    }

    it('answers only "internal error" for a fault of its own, and reports it', async () => {
      const mistake = new Error('secret');
      const answer = (): Promise<string> => Promise.reject(mistake);
      const { port } = await serve({ answer });
      const { text } = await send(port, toBody('eth_chainId'));
      expect(JSON.parse(text)).to.deep.include({ error: { code: -32603, message: 'internal error' } });
      expect(errors.splice(0)).to.deep.equal([mistake]);
    });

    it('answers that the chain is unavailable after it is closed', async () => {
      const closed = await chains.start(await chains.makeDirectory());
      await closed.close();
      const { port } = await serve({ answer: closed.answer });
      const { text } = await send(port, toBody('eth_blockNumber'));
      expect(codeOf(JSON.parse(text))).to.equal(-32002);
    });

    it('refuses the rest of a batch whose answers grow too large', async () => {
      const { port } = await serve({ answer: async () => `"${'a'.repeat(BATCH_CHARACTERS_MAX)}"` });
      const { text } = await send(port, `[${toBody('eth_chainId', [], 1)},${toBody('eth_chainId', [], 2)}]`);
      const [first, second] = JSON.parse(text) as unknown[];
      expect([codeOf(first), codeOf(second)]).to.deep.equal([undefined, -32005]);
    });

    it('refuses requests when too many wait', async () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const answer: RpcAnswer = (_method, _params, run) => run!('executions', () => promise);
      const { port } = await serve({ answer, turns: createRpcTurns(1) });
      const replies = Array.from({ length: 3 }, (_, id) => send(port, toBody('eth_chainId', [], id)));
      const first = await Promise.race(replies);
      expect(codeOf(JSON.parse(first.text))).to.equal(-32005);
      resolve('"late"');
      const texts = (await Promise.all(replies)).map(({ text }) => text);
      expect(texts.filter((text) => text.includes('late'))).to.have.length(2);
    });
  });

  describe('HTTP', () => {
    it('accepts POST only', async () => {
      const { port } = await serve();
      for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) {
        const reply = await send(port, '', { method });
        expect([method, reply.status, reply.headers.allow]).to.deep.equal([method, 405, 'POST']);
        expect(Object.keys(reply.headers).some((name) => name.startsWith('access-control'))).to.equal(false);
      }
    });

    it('accepts the names of the loopback, and refuses all others', async () => {
      const { port } = await serve();
      const statusOf = async (host: string): Promise<number> =>
        (await send(port, toBody('eth_chainId'), { headers: { ...JSON_TYPE, host } })).status;
      for (const host of ['localhost', `127.0.0.1:${port}`, '[::1]:1', 'LOCALHOST:80']) {
        expect([host, await statusOf(host)]).to.deep.equal([host, 200]);
      }
      for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example']) {
        expect([host, await statusOf(host)]).to.deep.equal([host, 403]);
      }
    });

    it('refuses a request without a host', async () => {
      const { port } = await serve();
      const socket = net.connect(port, '127.0.0.1');
      socket.write('POST / HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}');
      const answer = Buffer.concat(await socket.toArray()).toString();
      expect(answer).to.match(/^HTTP\/1\.1 403 /);
    });

    it('accepts another configured name', async () => {
      const { port } = await serve({ allowedHosts: ['Ledger.internal'] });
      const headers = { ...JSON_TYPE, host: `ledger.internal:${port}` };
      expect((await send(port, toBody('eth_chainId'), { headers })).status).to.equal(200);
    });

    it('refuses content that a web page could send without a preflight request', async () => {
      const { port } = await serve();
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '']) {
        const reply = await send(port, toBody('eth_chainId'), { headers: { 'content-type': type } });
        expect([type, reply.status]).to.deep.equal([type, 415]);
      }
      const encoded = await send(port, toBody('eth_chainId'), {
        headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
      });
      expect([encoded.status, encoded.headers['accept-encoding']]).to.deep.equal([415, 'identity']);
      const identity = { ...JSON_TYPE, 'content-encoding': 'Identity' };
      expect((await send(port, toBody('eth_chainId'), { headers: identity })).status).to.equal(200);
      const withCharset = { 'content-type': 'Application/JSON; charset=utf-8' };
      expect((await send(port, toBody('eth_chainId'), { headers: withCharset })).status).to.equal(200);
    });

    it('refuses a body over the limit, announced or not', async () => {
      const { port } = await serve({ limits: { bodyBytesMax: 1000 } });
      const headers = { ...JSON_TYPE, 'transfer-encoding': 'chunked' };
      for (const bytes of [500, 5_000_000]) {
        const body = toBody('web3_sha3', [`0x${'00'.repeat(bytes)}`]);
        expect((await send(port, body)).status).to.equal(413);
        expect((await send(port, body, { headers })).status).to.equal(413);
      }
      expect((await send(port, toBody('eth_chainId'))).status).to.equal(200);
    });

    it('disconnects a client that does not finish its request', async () => {
      const { port } = await serve({ limits: { headersTimeoutMs: 50, requestTimeoutMs: 100 } });
      for (const begun of [
        'POST / HT',
        'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      ]) {
        const socket = net.connect(port, '127.0.0.1');
        socket.write(begun);
        socket.resume();
        await once(socket, 'close');
      }
    });

    it('survives clients that disconnect', async () => {
      const { port } = await serve();
      for (const begun of [
        'POST',
        'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      ]) {
        const socket = net.connect(port, '127.0.0.1');
        await once(socket, 'connect');
        await new Promise<void>((resolve) => socket.write(begun, () => resolve()));
        socket.destroy();
        await once(socket, 'close');
      }
      expect((await send(port, toBody('eth_chainId'))).status).to.equal(200);
    });

    it('finishes answers in progress when it closes, and accepts no more', async () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const requested = Promise.withResolvers<void>();
      const server = await serve({
        answer: () => {
          requested.resolve();
          return promise;
        },
      });
      const agent = new http.Agent({ keepAlive: true });
      const reply = send(server.port, toBody('eth_chainId'), { agent });
      await requested.promise;
      const closed = server.close();
      resolve('"done"');
      expect((await reply).text).to.include('done');
      await closed;
      const refused = await send(server.port, toBody('eth_chainId')).catch(
        (error: NodeJS.ErrnoException) => error.code,
      );
      expect(refused).to.equal('ECONNREFUSED');
    });

    it('does not execute a request whose client has gone while it waited', async () => {
      const executed: string[] = [];
      const held = Promise.withResolvers<string>();
      const [requested, read, closed] = [0, 1, 2].map(() => Promise.withResolvers<void>());
      const { port } = await serve({
        answer: (method, _params, run) =>
          run!('executions', () => {
            executed.push(method);
            requested!.resolve();
            return method === 'held' ? held.promise : Promise.resolve('1');
          }),
        turns: createRpcTurns(1),
        serve: (server, answer) =>
          server.on('request', (req, res) => {
            if (req.url === '/gone') {
              req.once('end', read!.resolve);
              res.once('close', closed!.resolve);
            }
            answer(req, res);
          }),
      });
      const first = send(port, toBody('held'));
      await requested!.promise;
      const client = new AbortController();
      const gone = send(port, toBody('gone'), { path: '/gone', signal: client.signal }).catch(() => undefined);
      await read!.promise;
      expect((await send(port, toBody('other'))).text).to.include('too many requests');
      client.abort();
      await closed!.promise;
      held.resolve('1');
      await Promise.all([first, gone]);
      await send(port, toBody('next'));
      expect(executed).to.deep.equal(['held', 'next']);
    });

    it('rejects when the port is in use', async () => {
      const { port } = await serve();
      const error = await serve({ port }).catch((error: NodeJS.ErrnoException) => error.code);
      expect(error).to.equal('EADDRINUSE');
    });
  });
});
