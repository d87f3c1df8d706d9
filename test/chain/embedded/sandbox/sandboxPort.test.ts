// What others notice at the port while somebody ends the sandbox again and again, and what that costs its sender.
import { expect } from 'chai';
import { createRpcServer, type RpcServer } from '../../../../chain/embedded/rpc/rpcServer.ts';
import { createStartSandbox } from '../../../../chain/embedded/sandbox/sandboxProcess.ts';
import { createRpcTurns } from '../../../../host/rpcTurns.ts';
import { toHex } from '../../../../ledger/encoding/hex.ts';
import { PANICS } from '../../../support/panicCode.ts';
import { until } from '../../../support/until.ts';
import { createAccount, createChains, EMITTER_CODE, START_MS, signRaw, toAddress } from '../fixtures.ts';

const STARTING = -32_002;
const PANIC = PANICS['code that ends within PUSH20']!;
const GAS_LIMIT = 100_000;
/** A twentieth of a minute's gas is that of third parties: two of these transactions. */
const PUBLIC_GAS = { perMinuteMax: 20 * 2 * GAS_LIMIT, thirdPartyMax: GAS_LIMIT };

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly data?: { readonly reason: string } };
}

describe('the port while the sandbox ends', function () {
  // Each test ends processes, which start at most one a second.
  this.timeout(120_000);
  const chains = createChains();
  const account = createAccount();
  const contract = toAddress(account, 0);
  // What the starts wait for, in their order.
  let gates: Promise<void>[];
  let starts: number;
  let nowMs: number;
  let server: RpcServer;

  beforeEach(async () => {
    gates = [];
    starts = 0;
    nowMs = START_MS;
    const chain = await chains.start(await chains.makeDirectory(), {
      startSandbox: async (...parameters) => {
        starts += 1;
        await gates.shift();
        return createStartSandbox()(...parameters);
      },
      elapsedMs: () => nowMs,
      findLedgerAccounts: async () => ({ contract, isSender: async () => false }),
      publicGas: PUBLIC_GAS,
    });
    server = await createRpcServer({
      answer: chain.answer,
      host: '127.0.0.1',
      port: 0,
      onError: console.error,
      turns: createRpcTurns(256),
    });
  });
  afterEach(async () => {
    await server.close();
    await chains.clean();
  });

  const ask = async (method: string, ...params: readonly unknown[]): Promise<Answer> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    return (await (await fetch(server.url, { method: 'POST', headers, body })).json()) as Answer;
  };
  const askAgain = async (method: string, ...params: readonly unknown[]): Promise<Answer> => {
    let answer: Answer = {};
    await until(async () => {
      answer = await ask(method, ...params);
      return answer.error?.code !== STARTING;
    });
    return answer;
  };
  const callLedger = (): Promise<Answer> => ask('eth_call', { to: contract }, 'latest');
  const submit = async (nonce: number, data: string): Promise<Answer> =>
    askAgain(
      'eth_sendRawTransaction',
      toHex(await signRaw(account, nonce, { to: null as never, gasLimit: GAS_LIMIT, data })),
    );

  it('refuses calls at once until the next process is there, and answers all else', async () => {
    const gate = Promise.withResolvers<void>();
    gates = [Promise.resolve(), gate.promise];
    expect((await ask('eth_call', { data: PANIC }, 'latest')).error?.code).to.equal(-32_000);
    for (let count = 0; count < 5; count += 1) {
      const answers = await Promise.all([ask('eth_call', { data: PANIC }, 'latest'), callLedger()]);
      expect(answers.map(({ error, result }) => error?.code ?? result)).to.deep.equal([STARTING, '0x']);
      expect((await ask('eth_blockNumber')).result).to.equal('0x0');
    }
    gate.resolve();
    expect((await askAgain('eth_call', { data: '0x00' }, 'latest')).result).to.equal('0x');
  });

  it('answers calls of the ledger while another call waits for the first process', async () => {
    const gate = Promise.withResolvers<void>();
    gates = [gate.promise];
    const waiting = ask('eth_call', { data: '0x00' }, 'latest');
    await until(() => starts === 1);
    expect((await callLedger()).result).to.equal('0x');
    gate.resolve();
    expect((await waiting).result).to.equal('0x');
  });

  it('answers reads, logs and calls of the ledger while many calls run in the sandbox', async () => {
    const gate = Promise.withResolvers<void>();
    gates = [gate.promise];
    const running = Array.from({ length: 20 }, () => ask('eth_call', { data: '0x00' }, 'latest'));
    await until(() => starts === 1);
    const answers = [ask('eth_blockNumber'), ask('eth_getBalance', contract, 'latest'), ask('eth_getLogs', {})];
    const results = (await Promise.all([...answers, callLedger()])).map(({ result }) => result);
    expect(results).to.deep.equal(['0x0', '0x0', [], '0x']);
    gate.resolve();
    for (const { result } of await Promise.all(running)) expect(result).to.equal('0x');
  });

  it("charges transactions that fail in the sandbox to the minute, and not to the chain's life", async () => {
    for (const _ of [1, 2]) expect((await submit(0, PANIC)).error?.code).to.equal(-32_000);
    expect((await submit(0, PANIC)).error).to.deep.include({ code: -32_005 });
    expect((await submit(0, PANIC)).error?.data?.reason).to.equal('GAS_PER_MINUTE');
    nowMs += 60_000;
    expect((await submit(0, EMITTER_CODE)).error).to.equal(undefined);
  });
});
