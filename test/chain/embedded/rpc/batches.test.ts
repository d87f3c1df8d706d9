import { expect } from 'chai';
import {
  answerJsonRpc,
  BATCH_CHARACTERS_MAX,
  BATCH_MAX,
  BATCH_MS_MAX,
} from '../../../../chain/embedded/rpc/answerJsonRpc.ts';
import type { RpcAnswer } from '../../../../chain/embedded/rpc/publicChain.ts';
import { createRpcServer, type RpcServer } from '../../../../chain/embedded/rpc/rpcServer.ts';
import { createRpcTurns } from '../../../../host/rpcTurns.ts';

interface Reply {
  readonly id: number;
  readonly result?: number;
  readonly error?: { readonly code: number; readonly data?: object };
}

const toBodies = (methods: readonly string[]): string =>
  JSON.stringify(methods.map((method, id) => ({ jsonrpc: '2.0', id, method, params: [] })));
const onError = (error: unknown): never => {
  throw error;
};

describe('a batch of JSON-RPC requests', () => {
  let server: RpcServer | undefined;
  afterEach(() => server?.close());

  const send = async (answer: RpcAnswer, methods: readonly string[]): Promise<unknown> => {
    server = await createRpcServer({ answer, host: '127.0.0.1', port: 0, onError, turns: createRpcTurns(1) });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(server.url, { method: 'POST', headers, body: toBodies(methods) })).json();
  };

  it('may have the largest size, and has one request in progress at a time', async () => {
    let inProgress = 0;
    const answer: RpcAnswer = (_method, _params, run) =>
      run!('reads', async () => {
        inProgress += 1;
        expect(inProgress).to.equal(1);
        await Promise.resolve();
        inProgress -= 1;
        return '1';
      });
    const replies = (await send(answer, Array(BATCH_MAX).fill('read'))) as Reply[];
    expect(replies.map(({ id, result }) => [id, result])).to.deep.equal(replies.map((_, id) => [id, 1]));
    expect(replies).to.have.length(BATCH_MAX);
  });

  it('is refused with the number of requests that it may have', async () => {
    const { error } = (await send(async () => '1', Array(BATCH_MAX + 1).fill('read'))) as Reply;
    expect(error).to.deep.include({ code: -32005, data: { requestsMax: BATCH_MAX } });
  });

  it('executes nothing that it can no longer answer, and gives short answers', async () => {
    for (const [characters, codes, executed] of [
      [BATCH_CHARACTERS_MAX, [undefined, -32005], 1],
      [BATCH_CHARACTERS_MAX - 100, [undefined, undefined], 2],
    ] as const) {
      let count = 0;
      const answer = async () => (count++ === 0 ? JSON.stringify('a'.repeat(characters)) : '1');
      const replies = (await send(answer, ['read', 'write'])) as Reply[];
      expect([replies.map(({ error }) => error?.code), count]).to.deep.equal([codes, executed]);
      await server!.close();
    }
  });

  it('that takes too long is answered, and its rest is refused', async () => {
    let nowMs = 0;
    const answer = async (method: string): Promise<string> => {
      if (method === 'slow') nowMs += BATCH_MS_MAX + 1;
      return '1';
    };
    const counter = { assertCapacity: () => undefined, add: () => undefined };
    const text = await answerJsonRpc(toBodies(['fast', 'slow', 'late']), {
      answer,
      counter,
      onError,
      nowMs: () => nowMs,
    });
    const replies = JSON.parse(text!) as Reply[];
    expect(replies.map(({ error }) => error?.code)).to.deep.equal([undefined, undefined, -32005]);
  });
});
