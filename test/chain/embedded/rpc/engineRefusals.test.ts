// What the engine's parser says of parameters is in the words of its libraries, which no client sees.
import { expect } from 'chai';
import type { EmbeddedChain } from '../../../../chain/embedded/embeddedChain.ts';
import type { RpcError } from '../../../../chain/jsonRpc/rpcError.ts';
import { createChains } from '../fixtures.ts';

const HASH = `0x${'11'.repeat(32)}`;
const ADDRESS = `0x${'11'.repeat(20)}`;
const VALUES = [null, true, -1, 7.5, '', 'x', '0x', '0xzz', '\ud800', `0x${'1'.repeat(65)}`, [], [[[]]], {}, { a: 1 }];
const REQUESTS: readonly [method: string, params: readonly unknown[]][] = [
  ['eth_getBalance', [ADDRESS, 'latest']],
  ['eth_getBlockByHash', [HASH, false]],
  ['eth_getBlockByNumber', ['latest', false]],
  ['eth_getBlockTransactionCountByHash', [HASH]],
  ['eth_getBlockTransactionCountByNumber', ['latest']],
  ['eth_getCode', [ADDRESS, 'latest']],
  ['eth_getLogs', [{ address: ADDRESS, topics: [HASH] }]],
  ['eth_getProof', [ADDRESS, [HASH], 'latest']],
  ['eth_getStorageAt', [ADDRESS, '0x0', 'latest']],
  ['eth_getTransactionByBlockHashAndIndex', [HASH, '0x0']],
  ['eth_getTransactionByBlockNumberAndIndex', ['latest', '0x0']],
  ['eth_getTransactionByHash', [HASH]],
  ['eth_getTransactionCount', [ADDRESS, 'latest']],
  ['eth_getTransactionReceipt', [HASH]],
  ['web3_sha3', ['0x00']],
  ['eth_call', [{ from: ADDRESS, data: '0x00', type: '0x0', nonce: '0x0' }, 'latest']],
];
const PARSER_WORDS = /line \d+ column|untagged|variant|expected|deserialize|supplied|digits|\w+\(/i;

const replaceMembers = (value: object): unknown[] =>
  Object.keys(value).flatMap((name) => VALUES.map((other) => ({ ...value, [name]: other })));
const toVariants = (params: readonly unknown[]): unknown[][] =>
  params.flatMap((param, at) => {
    const members = typeof param === 'object' && param !== null && !Array.isArray(param) ? replaceMembers(param) : [];
    return [...VALUES, ...members].map((value) => params.with(at, value));
  });

describe('the refusal of malformed parameters', function () {
  // The first call starts a process.
  this.timeout(60_000);
  const chains = createChains();
  let chain: EmbeddedChain;
  before(async () => {
    chain = await chains.start(await chains.makeDirectory());
  });
  after(() => chains.clean());

  const messageOf = (method: string, params: readonly unknown[]): Promise<string> =>
    chain.answer(method, params).then(
      () => '',
      ({ message }: RpcError) => message,
    );

  for (const [method, params] of REQUESTS)
    it(`is in this project's words: ${method}`, async () => {
      for (const variant of [[], ...toVariants(params)])
        expect(await messageOf(method, variant), JSON.stringify(variant)).not.to.match(PARSER_WORDS);
    });

  it('names what the method takes', async () => {
    const error = await chain.answer('eth_getBlockByHash', ['x', false]).catch((caught: RpcError) => caught);
    expect(error).to.include({
      code: -32602,
      message:
        "the parameters are malformed; eth_getBlockByHash takes a block's hash, and whether with its transactions",
    });
  });

  it('keeps forms of the native code out of failed executions as well', async () => {
    expect(await messageOf('eth_call', [{ to: `0x${'0'.repeat(39)}9` }, 'latest'])).to.equal('the execution failed');
  });
});
