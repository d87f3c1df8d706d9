import { expect } from 'chai';
import type { EmbeddedChain } from '../../../../chain/embedded/embeddedChain.ts';
import type { PublicChain } from '../../../../chain/embedded/rpc/publicChain.ts';
import { createPublicMethods } from '../../../../chain/embedded/rpc/publicMethods.ts';
import { isStateTooOld, PROOF_GAS_MAX, STATE_AGE_MAX } from '../../../../chain/embedded/rpc/stateBounds.ts';
import { RpcError } from '../../../../chain/jsonRpc/rpcError.ts';
import { toQuantity } from '../../../../chain/jsonRpc/toQuantity.ts';
import type { Hex } from '../../../../ledger/encoding/hex.ts';
import { createAccount, createChains, EMITTER_CODE, signRaw, toAddress } from '../fixtures.ts';

const TRANSACTION_GAS_MAX = 2 ** 26;
/** Creation code that uses all gas at once. */
const INVALID_CODE = '0xfe';

const errorOf = async (chain: EmbeddedChain, method: string, params: readonly unknown[]): Promise<RpcError> => {
  const error = await chain.request(method, params).catch((cause: unknown) => cause);
  expect(error, method).to.be.instanceOf(RpcError);
  return error as RpcError;
};

describe('reads of the state', () => {
  const chains = createChains();
  const account = createAccount();
  const contract = toAddress(account, 0);
  const head = STATE_AGE_MAX + 3;
  const oldest = head - STATE_AGE_MAX;
  let chain: EmbeddedChain;

  before(async () => {
    chain = await chains.start(await chains.makeDirectory());
    await chain.submitTransaction(await signRaw(account, 0, { data: EMITTER_CODE, to: null as never }));
    for (let nonce = 1; nonce < head; nonce += 1) await chain.submitTransaction(await signRaw(account, nonce));
  });
  after(() => chains.clean());

  const reads: readonly [method: string, params: readonly unknown[]][] = [
    ['eth_getBalance', [account.address]],
    ['eth_getCode', [contract]],
    ['eth_getStorageAt', [contract, '0x0']],
    ['eth_getTransactionCount', [account.address]],
    ['eth_call', [{ to: account.address, data: '0x' }]],
    ['eth_estimateGas', [{ to: account.address, data: '0x' }]],
    ['eth_getProof', [contract, []]],
  ];
  for (const [method, params] of reads) {
    it(`answer ${method} for the newest blocks alone`, async () => {
      await chain.request(method, [...params, toQuantity(oldest)]);
      for (const block of [oldest - 1, 0]) {
        const error = await errorOf(chain, method, [...params, toQuantity(block)]);
        expect(error).to.deep.include({
          code: -32005,
          data: { reason: 'STATE_TOO_OLD', oldestBlock: toQuantity(oldest) },
        });
        expect(error.message).to.include(`state of block ${block} is not kept`).and.include(`from ${oldest} on`);
        expect(isStateTooOld(error)).to.equal(true);
      }
    });
  }

  const countAt = (block: unknown): Promise<unknown> =>
    chain.request('eth_getTransactionCount', [account.address, block]);
  const hashOf = async (block: number): Promise<unknown> =>
    ((await chain.request('eth_getBlockByNumber', [toQuantity(block), false])) as { hash: string }).hash;

  it('are of the block that they name, by its number, tag or hash', async () => {
    const blockHash = await hashOf(oldest + 1);
    for (const block of [toQuantity(oldest + 1), { blockNumber: toQuantity(oldest + 1) }, { blockHash }])
      expect(await countAt(block)).to.equal(toQuantity(oldest + 1));
    for (const block of [undefined, null, 'latest', 'safe', 'finalized', 'pending'])
      expect(await countAt(block)).to.equal(toQuantity(head));
  });

  it('are refused for an old block by its tag or hash', async () => {
    const blockHash = await hashOf(oldest - 1);
    for (const block of ['earliest', { blockHash }, { blockNumber: '0x0' }])
      expect((await errorOf(chain, 'eth_getCode', [contract, block])).code).to.equal(-32005);
  });

  it('are refused for a block that does not exist, or is malformed', async () => {
    const unknown = `0x${'12'.repeat(32)}`;
    expect((await errorOf(chain, 'eth_getCode', [contract, { blockHash: unknown }])).code).to.equal(-32000);
    expect((await errorOf(chain, 'eth_getCode', [contract, toQuantity(head + 1)])).code).to.equal(-32000);
    for (const block of [7, '7', '0x', '0x07', 'newest', unknown, {}, [], { blockHash: 7 }, { blockNumber: 7 }])
      expect((await errorOf(chain, 'eth_getCode', [contract, block])).code, String(block)).to.equal(-32602);
    expect((await errorOf(chain, 'eth_getStorageAt', [])).code).to.equal(-32602);
  });

  it('leave blocks, receipts and logs of all blocks available', async () => {
    const first = (await chain.request('eth_getBlockByNumber', ['0x1', false])) as { transactions: string[] };
    expect(await chain.request('eth_getTransactionReceipt', first.transactions)).to.include({ blockNumber: '0x1' });
    expect(await chain.request('eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x1' }])).to.deep.equal([]);
  });
});

describe('proofs', () => {
  const chains = createChains();
  after(() => chains.clean());

  it('of contracts are refused once the transactions have used the limit, also after a restart', async () => {
    const directory = await chains.makeDirectory();
    const account = createAccount();
    const contract = toAddress(account, 0);
    const before = await chains.start(directory);
    await before.submitTransaction(await signRaw(account, 0, { data: EMITTER_CODE, to: null as never }));
    const prove = (chain: EmbeddedChain) => chain.request('eth_getProof', [contract, [], 'latest']);
    const fields = { data: INVALID_CODE, to: null as never, gasLimit: TRANSACTION_GAS_MAX };
    for (let gas = 0, nonce = 1; gas <= PROOF_GAS_MAX; gas += TRANSACTION_GAS_MAX, nonce += 1) {
      expect(await prove(before)).to.include({ nonce: '0x1' });
      await before.submitTransaction(await signRaw(account, nonce, fields));
    }
    const assertRefused = async (chain: EmbeddedChain): Promise<void> => {
      const error = await errorOf(chain, 'eth_getProof', [contract, [], 'latest']);
      expect(error).to.deep.include({
        code: -32005,
        data: { reason: 'STORAGE_TOO_LARGE', gasMax: PROOF_GAS_MAX },
      });
      expect(await chain.request('eth_getProof', [account.address, [], 'latest'])).to.have.property('accountProof');
    };
    await assertRefused(before);
    await before.close();
    await assertRefused(await chains.start(directory));
  });

  it('are created one at a time, and not beside an execution', async () => {
    let running = 0;
    let most = 0;
    const request = async (): Promise<string> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      return '"0x"';
    };
    const address = createAccount().address.toLowerCase() as Hex;
    const answer = createPublicMethods({
      read: (task) => task(),
      request,
      gasUsed: () => 0,
      fetchFinalHead: async () => ({ number: 0, hash: '0x' }),
      executionGas: { fetchGasMax: async () => 1 },
      executionReads: { fetchLedger: async () => address, hasCode: async () => false },
      collectAnswers: async () => undefined,
    } as Partial<PublicChain> as PublicChain);
    const proofs = [1, 2, 3].map(() => answer('eth_getProof', [address, []]));
    await Promise.all([...proofs, answer('eth_call', [{ to: address }])]);
    expect(most).to.equal(1);
  });
});
