// Filters over real connections to a real chain.
import { once } from 'node:events';
import net from 'node:net';
import { expect } from 'chai';
import type { EmbeddedChain } from '../../../../../chain/embedded/embeddedChain.ts';
import { FILTER_LIMITS } from '../../../../../chain/embedded/rpc/filters/publicFilters.ts';
import { createRpcServer, type RpcServer } from '../../../../../chain/embedded/rpc/rpcServer.ts';
import { RECORD_APPENDED_TOPIC } from '../../../../../chain/recordLog.ts';
import {
  aRecord,
  createAccount,
  createChains,
  EMITTER_CODE,
  signRaw,
  toAddress,
  toEmitterCall,
} from '../../fixtures.ts';

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}
interface Log {
  readonly blockNumber: string;
  readonly address: string;
}

const toRequest = (method: string, params: readonly unknown[] = [], id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

describe('the filters of the RPC server', () => {
  const chains = createChains();
  const account = createAccount();
  const emitter = toAddress(account, 0);
  let nonce = 0;
  let chain: EmbeddedChain;
  let server: RpcServer;
  let elapsedMs = 0;

  const mine = async (): Promise<void> => {
    const fields =
      nonce === 0 ? { data: EMITTER_CODE, to: null as never } : { to: emitter, data: toEmitterCall(aRecord()) };
    await chain.submitTransaction(await signRaw(account, nonce, fields));
    nonce += 1;
  };

  beforeEach(async () => {
    [nonce, elapsedMs] = [0, 0];
    chain = await chains.start(await chains.makeDirectory(), { elapsedMs: () => elapsedMs });
    const onError = (error: unknown): never => {
      throw error;
    };
    server = await createRpcServer({ answer: chain.answer, host: '127.0.0.1', port: 0, onError });
    await mine();
  });
  afterEach(async () => {
    await server.close();
    await chains.clean();
  });

  const send = async (body: unknown): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(server.url, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const ask = async (method: string, ...params: unknown[]): Promise<Reply> =>
    (await send(toRequest(method, params))) as Reply;
  const resultOf = async <T>(method: string, ...params: unknown[]): Promise<T> =>
    (await ask(method, ...params)).result as T;
  const codeOf = async (method: string, ...params: unknown[]): Promise<number | undefined> =>
    (await ask(method, ...params)).error?.code;
  const blocksOf = async (method: string, id: unknown): Promise<number[]> =>
    (await resultOf<Log[]>(method, id)).map(({ blockNumber }) => Number(blockNumber));

  it('answer with the logs of the blocks since the last answer, each once', async () => {
    await mine();
    const id = await resultOf('eth_newFilter', { address: emitter, topics: [RECORD_APPENDED_TOPIC] });
    expect(await blocksOf('eth_getFilterChanges', id)).to.deep.equal([]);
    await mine();
    await mine();
    expect(await blocksOf('eth_getFilterChanges', id)).to.deep.equal([3, 4]);
    expect(await blocksOf('eth_getFilterChanges', id)).to.deep.equal([]);
    await mine();
    const answers = await Promise.all([1, 2, 3].map(() => blocksOf('eth_getFilterChanges', id)));
    expect(answers.flat()).to.deep.equal([5]);
  });

  it('answer with the hashes of the blocks since the last answer', async () => {
    const id = await resultOf('eth_newBlockFilter');
    await mine();
    await mine();
    const hashes = await resultOf<string[]>('eth_getFilterChanges', id);
    expect(hashes).to.deep.equal([await chain.fetchBlockHash(2), await chain.fetchBlockHash(3)]);
    expect(await resultOf('eth_getFilterChanges', id)).to.deep.equal([]);
    expect(await codeOf('eth_getFilterLogs', id)).to.equal(-32000);
  });

  it('keep to their range, their addresses and their topics', async () => {
    await mine();
    const ranged = await resultOf('eth_newFilter', { fromBlock: '0x0', toBlock: '0x3' });
    const later = await resultOf('eth_newFilter', { fromBlock: '0x4' });
    const other = await resultOf('eth_newFilter', { address: account.address, fromBlock: 'earliest' });
    await mine();
    await mine();
    expect(await blocksOf('eth_getFilterChanges', ranged)).to.deep.equal([3]);
    expect(await blocksOf('eth_getFilterChanges', later)).to.deep.equal([4]);
    expect(await blocksOf('eth_getFilterChanges', other)).to.deep.equal([]);
    expect(await blocksOf('eth_getFilterLogs', ranged)).to.deep.equal([2, 3]);
    expect(await blocksOf('eth_getFilterLogs', later)).to.deep.equal([4]);
  });

  it('are gone when they were uninstalled', async () => {
    const id = await resultOf('eth_newBlockFilter');
    expect(await resultOf('eth_uninstallFilter', id)).to.equal(true);
    expect(await resultOf('eth_uninstallFilter', id)).to.equal(false);
    expect((await ask('eth_getFilterChanges', id)).error).to.include({ code: -32000, message: 'filter not found' });
  });

  it('have ids that nobody can guess', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => resultOf<string>('eth_newBlockFilter')));
    expect(new Set(ids).size).to.equal(20);
    for (const id of ids) expect(id).to.match(/^0x[0-9a-f]{32}$/);
    for (const id of ['0x0', '0x1', `0x${'00'.repeat(16)}`])
      expect(await codeOf('eth_getFilterChanges', id)).to.equal(-32000);
  });

  it('refuse malformed requests', async () => {
    const refused: [string, unknown[]][] = [
      ['eth_newFilter', []],
      ['eth_newFilter', [7]],
      ['eth_newFilter', [{ address: 7 }]],
      ['eth_newFilter', [{ address: 'x' }]],
      ['eth_newFilter', [{ topics: 'x' }]],
      ['eth_newFilter', [{ topics: [[[]]] }]],
      ['eth_newFilter', [{ blocks: 1 }]],
      ['eth_newFilter', [{ fromBlock: '0x5', toBlock: '0x4' }]],
      ['eth_newFilter', [{ fromBlock: -1 }]],
      ['eth_newFilter', [{ blockHash: `0x${'11'.repeat(32)}` }]],
      ['eth_newFilter', [{}, {}]],
      ['eth_newBlockFilter', [1]],
      ...['eth_getFilterChanges', 'eth_getFilterLogs', 'eth_uninstallFilter'].flatMap(
        (method): [string, unknown[]][] => [
          [method, []],
          [method, [7]],
          [method, [null]],
          [method, [{}]],
          [method, ['0x1', '0x2']],
        ],
      ),
    ];
    for (const [method, params] of refused)
      expect([method, params, await codeOf(method, ...params)]).to.deep.equal([method, params, -32602]);
  });

  it('are bounded for a client, until some have been idle', async () => {
    const ids: unknown[] = [];
    const codes: unknown[] = [];
    for (let batch = 0; batch < 10; batch += 1) {
      const requests = Array.from({ length: 1_000 }, (_, at) => toRequest('eth_newBlockFilter', [], at));
      for (const { result, error } of (await send(requests)) as Reply[])
        (result === undefined ? codes : ids).push(result ?? error);
    }
    expect(ids).to.have.length(FILTER_LIMITS.ofPartyMax);
    expect(codes).to.have.length(9_000);
    expect(codes[0]).to.deep.include({ code: -32005, data: { filtersMax: FILTER_LIMITS.ofPartyMax } });
    expect(await resultOf('eth_getFilterChanges', ids[0])).to.deep.equal([]);
    elapsedMs = FILTER_LIMITS.idleMs;
    expect(await resultOf('eth_getFilterChanges', ids[0])).to.deep.equal([]);
    elapsedMs += 1;
    expect(await codeOf('eth_newBlockFilter')).to.equal(undefined);
    // The one that was in use has stayed.
    expect(await codeOf('eth_getFilterChanges', ids[0])).to.equal(undefined);
    expect(await codeOf('eth_getFilterChanges', ids[1])).to.equal(-32000);
  });

  it('stay as long as nobody needs their place, because a chain may have no block for days', async () => {
    const id = await resultOf('eth_newFilter', {});
    elapsedMs = 100 * FILTER_LIMITS.idleMs;
    await resultOf('eth_newBlockFilter');
    await mine();
    expect(await blocksOf('eth_getFilterChanges', id)).to.deep.equal([2]);
  });

  it('answer again with what was lost with its connection', async () => {
    const id = await resultOf('eth_newFilter', {});
    await mine();
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const slow = await createRpcServer({
      answer: async (...args) => {
        const text = await chain.answer(...args);
        asked.resolve();
        await held.promise;
        return text;
      },
      host: '127.0.0.1',
      port: 0,
      onError: () => undefined,
      serve: (http, answer) =>
        http.on('request', (req, res) => {
          res.once('close', closed.resolve);
          answer(req, res);
        }),
    });
    const socket = net.connect(slow.port, '127.0.0.1');
    const body = JSON.stringify(toRequest('eth_getFilterChanges', [id]));
    const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    socket.write(`${head}\r\n\r\n${body}`);
    await asked.promise;
    socket.resetAndDestroy();
    await Promise.all([once(socket, 'close'), closed.promise]);
    held.resolve();
    await slow.close();
    expect(await blocksOf('eth_getFilterChanges', id)).to.deep.equal([2]);
  });
});
