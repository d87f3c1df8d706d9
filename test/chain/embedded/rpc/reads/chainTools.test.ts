// What chain tools read besides blocks, state and logs.
import { expect } from 'chai';
import type { EmbeddedChain } from '../../../../../chain/embedded/embeddedChain.ts';
import { toHex } from '../../../../../ledger/encoding/hex.ts';
import { createAccount, createChains, REVERTER_CODE, signRaw, toAddress } from '../../fixtures.ts';

// Stores 7 in slot 1 when it is created.
const STORER_CODE = '0x60076001555f5ff3';
const SLOT = `0x${'00'.repeat(31)}01`;

interface Proof {
  readonly storageProof: { readonly key: string; readonly value: string; readonly proof: unknown[] }[];
}

describe('reads of chain tools', () => {
  const chains = createChains();
  const account = createAccount();
  const raws: string[] = [];
  let chain: EmbeddedChain;

  before(async () => {
    chain = await chains.start(await chains.makeDirectory());
    for (const [nonce, data] of [STORER_CODE, REVERTER_CODE].entries()) {
      const raw = await signRaw(account, nonce, { data, to: null as never });
      raws.push(toHex(raw));
      await chain.submitTransaction(raw);
    }
  });
  after(() => chains.clean());

  const request = async <T>(method: string, ...params: unknown[]): Promise<T> =>
    (await chain.request(method, params)) as T;
  const codeOf = (method: string, ...params: unknown[]): Promise<number | undefined> =>
    chain.request(method, params).then(
      () => undefined,
      ({ code }: { code: number }) => code,
    );

  describe('eth_feeHistory', () => {
    it('has a base fee of zero, how full blocks were, and no reward', async () => {
      const history = await request<{ gasUsedRatio: number[] }>('eth_feeHistory', '0x2', 'latest', [25, 75]);
      const { gasUsedRatio, ...others } = history;
      expect(others).to.deep.include({ oldestBlock: '0x1', baseFeePerGas: ['0x0', '0x0', '0x0'] });
      expect(others).to.not.have.property('reward');
      expect(gasUsedRatio).to.have.length(2);
      for (const ratio of gasUsedRatio) expect(ratio).to.be.within(0.00001, 0.001);
    });

    it('ends at the genesis block, whatever count is asked for', async () => {
      for (const count of ['0x3', '0x400', '0xffffffff', 1_024])
        expect(await request('eth_feeHistory', count, '0x2')).to.deep.include({ oldestBlock: '0x0' });
      expect(await request('eth_feeHistory', '0x1', 'earliest')).to.deep.include({ baseFeePerGas: ['0x0', '0x0'] });
    });

    it('refuses malformed parameters', async () => {
      for (const params of [
        [],
        ['0x0', 'latest'],
        [0, 'latest'],
        [1.5, 'latest'],
        ['0x1'],
        ['0x1', 'newest'],
        ['0x1', 'latest', [50, 25]],
        ['0x1', 'latest', [101]],
        ['0x1', 'latest', ['50']],
        ['0x1', 'latest', Array(101).fill(1)],
        ['0x1', 'latest', [], 1],
      ])
        expect([params, await codeOf('eth_feeHistory', ...params)]).to.deep.equal([params, -32602]);
      expect(await codeOf('eth_feeHistory', '0x1', '0x3')).to.equal(-32000);
    });
  });

  describe('eth_getBlockReceipts', () => {
    it('has the receipts of a block that is named in any form', async () => {
      const { hash, transactions } = await request<{ hash: string; transactions: string[] }>(
        'eth_getBlockByNumber',
        '0x2',
        false,
      );
      const receipt = await request('eth_getTransactionReceipt', transactions[0]);
      for (const block of ['0x2', 'latest', hash, { blockNumber: '0x2' }, { blockHash: hash, requireCanonical: true }])
        expect(await request('eth_getBlockReceipts', block)).to.deep.equal([receipt]);
    });

    it('has none for the genesis block, and is null without a block', async () => {
      expect(await request('eth_getBlockReceipts', 'earliest')).to.deep.equal([]);
      for (const block of ['0x3', '0xffffffff', `0x${'11'.repeat(32)}`])
        expect(await request('eth_getBlockReceipts', block)).to.equal(null);
    });

    it('refuses what names no block', async () => {
      for (const params of [
        [],
        [7],
        [null],
        ['x'],
        [{}],
        [{ blockHash: 7 }],
        [{ blockNumber: '0x1', blockHash: SLOT }],
        ['0x1', 1],
      ])
        expect([params, await codeOf('eth_getBlockReceipts', ...params)]).to.deep.equal([params, -32602]);
    });
  });

  describe('eth_getRawTransactionByHash', () => {
    it('has the bytes that were sent', async () => {
      for (const [at, raw] of raws.entries()) {
        const { transactions } = await request<{ transactions: string[] }>(
          'eth_getBlockByNumber',
          `0x${at + 1}`,
          false,
        );
        expect(await request('eth_getRawTransactionByHash', transactions[0])).to.equal(raw);
      }
    });

    it('has no bytes for a transaction that there is not, and refuses what is no hash', async () => {
      expect(await request('eth_getRawTransactionByHash', SLOT)).to.equal('0x');
      for (const params of [[], ['0x1'], [7], [SLOT, 1]])
        expect(await codeOf('eth_getRawTransactionByHash', ...params)).to.equal(-32602);
    });
  });

  describe('eth_getProof', () => {
    const prove = (key: unknown) => request<Proof>('eth_getProof', toAddress(account, 0), [key], 'latest');

    it('takes storage keys of any length, and answers with them as geth does', async () => {
      const expected = (await prove(SLOT)).storageProof[0]!;
      expect(expected).to.include({ key: SLOT, value: '0x7' });
      for (const key of ['0x1', '0x01', '1', '01', `0x${'00'.repeat(8)}01`])
        expect((await prove(key)).storageProof).to.deep.equal([{ ...expected, key: '0x1' }]);
      expect((await prove(`0x${SLOT.slice(3)}`)).storageProof).to.deep.equal([expected]);
      expect((await prove('0x')).storageProof[0]).to.include({ key: '0x0', value: '0x0' });
    });

    it('refuses keys that are none', async () => {
      for (const key of [`${SLOT}0`, `0x${'0'.repeat(65)}`, '0xg', 1, null, {}])
        expect(await codeOf('eth_getProof', toAddress(account, 0), [key], 'latest')).to.equal(-32602);
      for (const keys of [undefined, null, 'x', {}])
        expect(await codeOf('eth_getProof', toAddress(account, 0), keys, 'latest')).to.equal(-32602);
    });
  });
});
