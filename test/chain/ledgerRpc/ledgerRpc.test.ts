import { expect } from 'chai';
import { RPC_CODE, RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import { createLedgerReads } from '../../../chain/ledgerRpc/ledgerReads.ts';
import { createLedgerRpc, type LedgerRpc } from '../../../chain/ledgerRpc/ledgerRpc.ts';
import { createRpcTurns } from '../../../host/rpcTurns.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { LedgerError } from '../../../ledger/errors.ts';

const CONTRACT: Hex = `0x${'1e'.repeat(20)}`;
const KEY = `0x${'11'.repeat(32)}`;
const HASH = `0x${'ab'.repeat(32)}`;
const DATA = ledgerInterface.encodeFunctionData('recordOf', [KEY, KEY]);
const CALL = { to: CONTRACT, data: DATA };
const BLOCK = {
  hash: HASH,
  number: '0x7',
  logsBloom: '0x',
  transactions: [{ input: '0x01' }],
  withdrawals: [],
  size: '0x1',
};

interface Request {
  readonly method: string;
  readonly params: readonly unknown[];
}

const open = (answer: (request: Request) => unknown = () => '0x') => {
  const requests: Request[] = [];
  const errors: unknown[] = [];
  const request = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    requests.push({ method, params });
    return answer({ method, params });
  };
  const ledger = { chain: { chainId: 31337, request }, contract: CONTRACT };
  return {
    requests,
    errors,
    read: createLedgerReads(ledger),
    rpc: createLedgerRpc(ledger, { turns: createRpcTurns(64), onError: (error) => errors.push(error) }),
  };
};

const codeOf = async (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    (result) => ({ result }),
    (error: RpcError) => error.code,
  );

const fail = (error: unknown) => () => {
  throw error;
};

describe('reads of the ledger by JSON-RPC', () => {
  it('are answers of the chain id, the height, headers and view functions', async () => {
    const { read, requests } = open(({ method }) => (method === 'eth_getBlockByNumber' ? BLOCK : '0x7'));
    expect(await read('eth_chainId', [])).to.equal('0x7a69');
    expect(await read('eth_blockNumber', [])).to.equal('0x7');
    expect(await read('eth_getBlockByNumber', ['finalized', false])).to.deep.equal({
      hash: HASH,
      number: '0x7',
      logsBloom: '0x',
    });
    expect(await read('eth_call', [{ to: CONTRACT.toUpperCase().replace('X', 'x'), input: DATA }])).to.equal('0x7');
    expect(await read('eth_call', [CALL, { blockHash: HASH }])).to.equal('0x7');
    const calls = requests.filter(({ method }) => method === 'eth_call');
    expect(calls.map(({ params }) => params[1])).to.deep.equal(['latest', { blockHash: HASH }]);
    for (const { params } of calls) {
      expect(params[0]).to.have.all.keys('to', 'data', 'gas');
      expect(params[0]).to.include(CALL);
      expect(Number((params[0] as { gas: string }).gas)).to.be.within(2_500_000, 2_600_000);
    }
  });

  it('are null for a block that the chain lacks', async () => {
    expect(await open(() => null).read('eth_getBlockByHash', [HASH, false])).to.equal(null);
  });

  it('include every view function, and no other', async () => {
    const { read } = open();
    const results = new Map<string, unknown>();
    ledgerInterface.forEachFunction(({ name, selector }) => {
      results.set(name, codeOf(read('eth_call', [{ to: CONTRACT, data: selector }])));
    });
    ledgerInterface.forEachFunction(({ name, constant }) => {
      results.set(name, [results.get(name), constant]);
    });
    for (const [name, [result, constant]] of results as Map<string, [Promise<unknown>, boolean]>)
      expect([name, await result]).to.deep.equal([name, constant ? { result: '0x' } : RPC_CODE.INVALID_PARAMS]);
    expect(await read('eth_call', [{ to: CONTRACT, data: '0x84b0196e' }])).to.equal('0x');
  });

  const OTHER_METHODS = [
    'eth_getLogs',
    'eth_getTransactionReceipt',
    'eth_getTransactionByHash',
    'eth_getBlockReceipts',
    'eth_getTransactionByBlockNumberAndIndex',
    'eth_getRawTransactionByHash',
    'eth_sendRawTransaction',
    'eth_sendTransaction',
    'eth_newFilter',
    'eth_subscribe',
    'eth_getStorageAt',
    'eth_getProof',
    'eth_getCode',
    'eth_estimateGas',
    'eth_createAccessList',
    'eth_simulateV1',
    'debug_traceCall',
    'hardhat_reset',
    'evm_mine',
    'ETH_CALL',
    'eth_call ',
    'constructor',
    '__proto__',
    '',
  ];
  it('are no other methods, whatever their parameters, and those reach no node', async () => {
    const { read, requests } = open();
    for (const method of OTHER_METHODS)
      for (const params of [[], [HASH], [CALL, 'latest']])
        expect([method, await codeOf(read(method, params))]).to.deep.equal([method, RPC_CODE.METHOD_NOT_FOUND]);
    expect(requests).to.deep.equal([]);
  });

  const REFUSED: readonly [string, readonly unknown[]][] = [
    ['eth_chainId', [1]],
    ['eth_blockNumber', ['latest']],
    ['eth_getBlockByNumber', ['latest']],
    ['eth_getBlockByNumber', ['latest', true]],
    ['eth_getBlockByNumber', ['latest', 0]],
    ['eth_getBlockByNumber', ['latest', null]],
    ['eth_getBlockByNumber', ['latest', false, false]],
    ['eth_getBlockByNumber', ['pending', false]],
    ['eth_getBlockByNumber', ['LATEST', false]],
    ['eth_getBlockByNumber', [['latest'], false]],
    ['eth_getBlockByNumber', ['0x', false]],
    ['eth_getBlockByNumber', ['0x01', false]],
    ['eth_getBlockByNumber', ['0x1\n', false]],
    ['eth_getBlockByNumber', [1, false]],
    ['eth_getBlockByNumber', [`0x${'f'.repeat(64)}`, false]],
    ['eth_getBlockByHash', ['latest', false]],
    ['eth_getBlockByHash', [`${HASH}00`, false]],
    ['eth_getBlockByHash', [HASH, true]],
    ['eth_call', []],
    ['eth_call', [null]],
    ['eth_call', [[CALL]]],
    ['eth_call', [{ data: DATA }]],
    ['eth_call', [{ ...CALL, to: KEY.slice(0, 42) }]],
    ['eth_call', [{ ...CALL, to: `${CONTRACT} ` }]],
    ['eth_call', [{ ...CALL, to: [CONTRACT] }]],
    ['eth_call', [{ ...CALL, gas: '0xffffffffff' }]],
    ['eth_call', [{ ...CALL, from: CONTRACT }]],
    ['eth_call', [{ ...CALL, value: '0x1' }]],
    ['eth_call', [{ ...CALL, accessList: [] }]],
    ['eth_call', [{ ...CALL, input: DATA }]],
    ['eth_call', [{ to: CONTRACT }]],
    ['eth_call', [{ to: CONTRACT, data: '0x' }]],
    ['eth_call', [{ to: CONTRACT, data: '0x84b0' }]],
    ['eth_call', [{ to: CONTRACT, data: `${DATA}0` }]],
    ['eth_call', [{ to: CONTRACT, data: `${DATA}zz` }]],
    ['eth_call', [{ to: CONTRACT, data: [DATA] }]],
    ['eth_call', [CALL, 'pending']],
    ['eth_call', [CALL, null]],
    ['eth_call', [CALL, { blockNumber: '0x1' }]],
    ['eth_call', [CALL, { blockHash: HASH, requireCanonical: false }]],
    ['eth_call', [CALL, {}]],
    ['eth_call', [CALL, 'latest', { [CONTRACT]: { code: '0x00' } }]],
    ['eth_call', [CALL, 'latest', {}, { number: '0x1' }]],
  ];
  it('refuse every other option, account, function and block, which reach no node', async () => {
    const { read, requests } = open();
    for (const [method, params] of REFUSED)
      expect([method, params, await codeOf(read(method, params))]).to.deep.equal([
        method,
        params,
        RPC_CODE.INVALID_PARAMS,
      ]);
    expect(requests).to.deep.equal([]);
  });

  it('show of a failure what is about the request, and neither a node nor its words', async () => {
    const secret = 'http://user:secret@node.internal:8545';
    const readWith = async (error: unknown) => {
      const failure = await open(fail(error))
        .read('eth_call', [CALL])
        .catch((thrown: RpcError) => thrown);
      expect((failure as RpcError).message).not.to.include('secret');
      return (failure as RpcError).code;
    };
    expect(await readWith(new LedgerError('CHAIN_UNAVAILABLE', { message: secret }))).to.equal(RPC_CODE.UNAVAILABLE);
    expect(await readWith(new RpcError(-32099, secret))).to.equal(RPC_CODE.REFUSED);
    expect(await readWith(new RpcError(RPC_CODE.REVERTED, 'execution reverted', '0x12'))).to.equal(RPC_CODE.REVERTED);
  });
});

describe('a body of JSON-RPC for the ledger', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
  const send = async (rpc: LedgerRpc, body: string, party = 'a client') => {
    const text = await rpc(body, { party });
    return text === undefined ? undefined : JSON.parse(text);
  };

  it('has one answer, or none if it is a notification', async () => {
    const { rpc } = open();
    expect(await send(rpc, JSON.stringify(call))).to.deep.equal({ jsonrpc: '2.0', id: 1, result: '0x7a69' });
    expect(await send(rpc, JSON.stringify({ ...call, id: undefined }))).to.equal(undefined);
  });

  it('is no batch', async () => {
    const { rpc, requests } = open();
    for (const body of ['[]', JSON.stringify([call]), ` \n[${'['.repeat(100_000)}`])
      expect((await send(rpc, body)).error.code).to.equal(RPC_CODE.INVALID_REQUEST);
    expect(requests).to.deep.equal([]);
  });

  it('is refused where it is malformed, deep or long, without a fault', async () => {
    const { rpc, errors } = open();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const bodies: [string, number][] = [
      ['', RPC_CODE.PARSE],
      ['{', RPC_CODE.PARSE],
      ['\ufeff[]', RPC_CODE.PARSE],
      ['null', RPC_CODE.INVALID_REQUEST],
      ['7', RPC_CODE.INVALID_REQUEST],
      [`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${deep}}`, RPC_CODE.INVALID_PARAMS],
      [`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":{"0":1}}`, RPC_CODE.INVALID_PARAMS],
      [`{"jsonrpc":"2.0","id":${deep},"method":"eth_chainId"}`, RPC_CODE.INVALID_REQUEST],
      [JSON.stringify({ ...call, id: 'x'.repeat(100_000) }), RPC_CODE.LIMIT_EXCEEDED],
      [JSON.stringify({ ...call, method: 'x'.repeat(100_000) }), RPC_CODE.METHOD_NOT_FOUND],
    ];
    for (const [body, code] of bodies) {
      const { error } = await send(rpc, body);
      expect([body.slice(0, 50), error.code]).to.deep.equal([body.slice(0, 50), code]);
    }
    expect(errors).to.deep.equal([]);
  });

  const VIEW = ledgerInterface.encodeFunctionData('recordOf', [KEY, KEY]);
  const OTHER_VIEW = ledgerInterface.encodeFunctionData('administratorOf', [KEY]);

  it('is answered beside executions that do not end, and those of another client', async () => {
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<string>());
    const begun: unknown[] = [];
    const { rpc } = open(({ method, params }) => {
      if (method !== 'eth_call') return '0x7';
      begun.push((params[0] as { data: string }).data);
      return gates[begun.length - 1]!.promise;
    });
    const execute = (data: string, party: string) =>
      send(rpc, JSON.stringify({ ...call, method: 'eth_call', params: [{ to: CONTRACT, data }] }), party);
    const executions = [execute(VIEW, 'a'), execute(VIEW, 'a'), execute(VIEW, 'a'), execute(OTHER_VIEW, 'b')];
    expect((await send(rpc, JSON.stringify({ ...call, method: 'eth_blockNumber' }))).result).to.equal('0x7');
    for (const { resolve } of gates) resolve('0x');
    await Promise.all(executions);
    expect(begun).to.deep.equal([VIEW, OTHER_VIEW, VIEW, VIEW]);
  });

  it('waits for those in progress, and is refused when too many wait', async () => {
    const ends: ((result: string) => void)[] = [];
    const { rpc } = open(() => new Promise<string>((end) => ends.push(end)));
    const body = JSON.stringify({ ...call, method: 'eth_blockNumber' });
    const answers = Array.from({ length: 70 }, () => send(rpc, body));
    const refused = await Promise.all(answers.slice(66));
    expect(refused.map(({ error }) => error.code)).to.deep.equal(Array(4).fill(RPC_CODE.LIMIT_EXCEEDED));
    expect(ends).to.have.length(2);
    for (let at = 0; at < 66; at += 1) {
      while (ends[at] === undefined) await new Promise(setImmediate);
      ends[at]!('0x1');
    }
    for (const { result } of await Promise.all(answers.slice(0, 66))) expect(result).to.equal('0x1');
  });
});
