// The node ends its process when it adds up amounts that overflow: without the bounds, the first test here ends mocha.
import { expect } from 'chai';
import { createRpcServer, type RpcServer } from '../../../../chain/embedded/rpc/rpcServer.ts';
import { toQuantity } from '../../../../chain/jsonRpc/toQuantity.ts';
import { createChains } from '../fixtures.ts';

interface Reply {
  readonly result?: string;
  readonly error?: { readonly code: number; readonly message: string };
}

const UINT256_MAX = 2n ** 256n - 1n;
const UINT128_MAX = 2n ** 128n - 1n;
const GAS = 2n ** 16n;
const METHODS = ['eth_call', 'eth_estimateGas'];
const TO = `0x${'11'.repeat(20)}`;

describe('Value and prices of a call', () => {
  const chains = createChains();
  const errors: unknown[] = [];
  let server: RpcServer;

  before(async () => {
    const { answer } = await chains.start(await chains.makeDirectory());
    server = await createRpcServer({ answer, host: '127.0.0.1', port: 0, onError: (error) => errors.push(error) });
  });
  after(async () => {
    await server.close();
    await chains.clean();
    expect(errors).to.deep.equal([]);
  });

  const send = async (method: string, call: object): Promise<Reply> => {
    const params = [{ to: TO, gas: toQuantity(GAS), ...call }, 'latest'];
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(response.status).to.equal(200);
    return (await response.json()) as Reply;
  };
  const codesOf = async (call: object): Promise<(number | undefined)[]> => {
    const replies = await Promise.all(METHODS.map((method) => send(method, call)));
    return replies.map(({ error }) => error?.code);
  };

  const ACCEPTED: [string, object][] = [
    ['the largest value without a price', { value: toQuantity(UINT256_MAX) }],
    ['the largest value at the price 0', { value: toQuantity(UINT256_MAX), gasPrice: '0x0' }],
    ['the largest value of a new contract', { to: undefined, data: '0x00', value: toQuantity(UINT256_MAX) }],
    ['the largest value to the sender', { from: TO, value: toQuantity(UINT256_MAX) }],
    ['the largest sum', { value: toQuantity(UINT256_MAX - GAS), gasPrice: '0x1' }],
    ['the largest fee', { gasPrice: toQuantity(UINT128_MAX / GAS) }],
    ['the largest fee cap', { maxFeePerGas: toQuantity(UINT128_MAX / GAS), maxPriorityFeePerGas: '0x0' }],
    ['the largest tip', { maxPriorityFeePerGas: toQuantity(UINT128_MAX / GAS) }],
    ['zeros before the digits', { value: `0x${'0'.repeat(80)}5`, gasPrice: `0x${'0'.repeat(80)}` }],
    ['null', { value: null, gasPrice: null, maxFeePerGas: null, maxPriorityFeePerGas: null }],
    ['a type without a price', { type: '0x2' }],
  ];
  for (const [name, call] of ACCEPTED)
    it(`may be ${name}`, async () => expect(await codesOf(call)).to.deep.equal([undefined, undefined]));

  const REFUSED: [string, object, number][] = [
    ['a sum of 257 bits', { value: toQuantity(UINT256_MAX - GAS + 1n), gasPrice: '0x1' }, -32000],
    ['the largest value at a price', { value: toQuantity(UINT256_MAX), maxFeePerGas: '0x1' }, -32000],
    ['a fee of 129 bits', { gasPrice: toQuantity(UINT128_MAX / GAS + 1n) }, -32000],
    ['a fee cap of 129 bits', { maxFeePerGas: toQuantity(UINT128_MAX), maxPriorityFeePerGas: '0x0' }, -32000],
    ['a tip of 129 bits', { maxPriorityFeePerGas: toQuantity(UINT128_MAX) }, -32000],
    ['a value of 257 bits', { value: toQuantity(UINT256_MAX + 1n) }, -32602],
    ['a price of 129 bits', { gasPrice: toQuantity(UINT128_MAX + 1n) }, -32602],
    ['a value that is a number', { value: 5 }, -32602],
    ['a value without digits', { value: '0x' }, -32602],
    ['a value with a sign', { value: '-0x1' }, -32602],
    ['a price that is a list', { gasPrice: [] }, -32602],
  ];
  for (const [name, call, code] of REFUSED)
    it(`may not be ${name}`, async () => expect(await codesOf(call)).to.deep.equal([code, code]));

  it('do not change what a call without them answers', async () => {
    // Returns the price of its gas.
    const call = { to: undefined, data: '0x3a5f5260205ff3' };
    expect(await send('eth_call', call)).to.include({ result: `0x${'00'.repeat(32)}` });
    expect(await send('eth_estimateGas', { gasPrice: '0x0' })).to.include({ result: '0x5209' });
    expect(await send('eth_estimateGas', {})).to.include({ result: '0x5209' });
  });
});
