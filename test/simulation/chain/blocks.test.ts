import { expect } from 'chai';
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { createBloomTest } from '../../../chain/network/logsBloom.ts';
import { signTransaction, type TransactionFields } from '../../../chain/writing/signTransaction.ts';
import { fromHex, type Hex } from '../../../ledger/encoding/hex.ts';
import { createGenesisBlock, mineBlock, type SimulatedBlock } from './blocks.ts';
import { readAccount } from './chainState.ts';
import { createSimulatedChain } from './chainView.ts';
import { findRefusal } from './refusals.ts';
import { createRpcAnswers } from './rpcAnswers.ts';
import { signFree, toCreation, walletOf } from './support/chainPair.ts';
import { type DecodedTransaction, decodeTransaction, decodeTransactionText } from './transactions.ts';

const RICH = walletOf(1);
const POOR = walletOf(2);
const COINBASE: Hex = `0x${'cc'.repeat(20)}`;
const TERMS = { chainId: 7_331, blockGasLimit: 30_000_000, transactionGasMax: 16_000_000, coinbase: COINBASE };
const GWEI = 10n ** 9n;
const WEALTH = 10n ** 18n;
const AT = { timestampSeconds: 2_000, baseFeePerGas: 10n * GWEI };
const FEES = { maxFeePerGas: 12n * GWEI, maxPriorityFeePerGas: 1n * GWEI };

const genesis = createGenesisBlock(TERMS, {
  timestampSeconds: 1_000,
  baseFeePerGas: 10n * GWEI,
  balances: { [RICH.address]: WEALTH },
});

const pay = (nonce: number, fields: Partial<TransactionFields> = {}, wallet = RICH): DecodedTransaction => {
  const data = new Uint8Array(0);
  const call = { chainId: 7_331, gasLimit: 21_000, fees: FEES, to: POOR.addressBytes, value: 5n, data };
  return decodeTransaction(signTransaction({ ...call, nonce, ...fields }, wallet));
};

const isInBloom = (filter: Hex, item: Hex): boolean => createBloomTest(item)(fromHex(filter));

const balanceOf = ({ state }: SimulatedBlock, address: Hex): bigint => readAccount(state, address).balance;

const refusalOf = (transaction: DecodedTransaction, gasLeft = 30_000_000) =>
  findRefusal(genesis.state, transaction, { ...TERMS, baseFeePerGas: 10n * GWEI, gasLeft })?.reason;

describe('simulated blocks', () => {
  it('move wei, burn the base fee and pay the tip', () => {
    const block = mineBlock(genesis, [pay(0), pay(1)], AT);
    expect(block.gasUsed).to.equal(42_000);
    expect(balanceOf(block, POOR.address)).to.equal(10n);
    expect(balanceOf(block, COINBASE)).to.equal(42_000n * GWEI);
    expect(balanceOf(block, RICH.address)).to.equal(WEALTH - 10n - 42_000n * 11n * GWEI);
    expect(balanceOf(genesis, RICH.address)).to.equal(WEALTH);
    expect(block.receipts.map(({ cumulativeGasUsed }) => cumulativeGasUsed)).to.deep.equal([21_000, 42_000]);
  });

  it('pay no more than the highest fee', () => {
    const block = mineBlock(genesis, [pay(0, { fees: { ...FEES, maxPriorityFeePerGas: 5n * GWEI } })], AT);
    expect(block.receipts[0]!.effectiveGasPrice).to.equal(12n * GWEI);
    expect(balanceOf(block, COINBASE)).to.equal(21_000n * 2n * GWEI);
  });

  it('have another hash with another parent, time or variant, and the same with the same', () => {
    const block = mineBlock(genesis, [pay(0)], AT);
    const others = [
      mineBlock(genesis, [pay(0)], { ...AT, variant: 1 }),
      mineBlock(genesis, [pay(0)], { ...AT, timestampSeconds: 2_001 }),
      mineBlock(genesis, [], AT),
      mineBlock(mineBlock(genesis, [], AT), [pay(0)], AT),
    ];
    expect(mineBlock(genesis, [pay(0)], AT).hash).to.equal(block.hash);
    expect(new Set([block, ...others].map(({ hash }) => hash)).size).to.equal(5);
  });

  it('leave the blocks before them as they are, so that two branches differ', () => {
    const trunk = mineBlock(genesis, [pay(0)], AT);
    const first = mineBlock(trunk, [pay(1, { value: 100n })], AT);
    const second = mineBlock(trunk, [pay(1, { value: 7n })], AT);
    expect([trunk, first, second].map((block) => balanceOf(block, POOR.address))).to.deep.equal([5n, 105n, 12n]);
  });

  it('refuse what cannot be included, with the reason', () => {
    expect(refusalOf(pay(0))).to.equal(undefined);
    expect(refusalOf(pay(1))).to.equal('nonce too high');
    expect(refusalOf(pay(0, {}, POOR))).to.equal('insufficient funds');
    expect(refusalOf(pay(0, { value: WEALTH }))).to.equal('insufficient funds');
    expect(refusalOf(pay(0, { fees: { maxFeePerGas: GWEI, maxPriorityFeePerGas: 0n } }))).to.equal('fee too low');
    expect(refusalOf(pay(0, { chainId: 1 }))).to.equal('wrong chain');
    expect(refusalOf(pay(0, { gasLimit: 20_000 }))).to.equal('invalid gas limit');
    expect(refusalOf(pay(0, { gasLimit: 16_000_001 }))).to.equal('invalid gas limit');
    expect(refusalOf(pay(0), 20_000)).to.equal('invalid gas limit');
    expect(() => mineBlock(genesis, [pay(0), pay(0)], AT)).to.throw(RpcError, /nonce too low/);
  });

  it('count logs through the block and have all of them in the bloom filter', () => {
    const free = createGenesisBlock(TERMS, { timestampSeconds: 1_000, baseFeePerGas: 0n });
    const raws = [RICH, POOR].map((wallet) => signFree(wallet, 0, { data: toCreation(wallet), gasLimit: 6_000_000 }));
    const block = mineBlock(free, raws.map(decodeTransactionText), { timestampSeconds: 2_000, baseFeePerGas: 0n });
    const chain = createSimulatedChain(free);
    chain.push(block);
    const answer = createRpcAnswers(chain, { clientVersion: 'test', tipPerGas: () => 0n });
    const logs = answer('eth_getLogs', [{ blockHash: block.hash }]) as { logIndex: Hex; address: Hex; topics: Hex[] }[];
    expect(logs.map(({ logIndex }) => logIndex)).to.deep.equal(['0x0', '0x1']);
    const items = logs.flatMap(({ address, topics }) => [address, ...topics]);
    expect(items.every((item) => isInBloom(block.logsBloom, item))).to.equal(true);
    expect(isInBloom(block.receipts[0]!.logsBloom, logs[1]!.address)).to.equal(false);
  });

  it('disappear from the answers with a reorg', () => {
    const chain = createSimulatedChain(genesis, ({ number }) => Math.max(0, number - 1));
    const answer = createRpcAnswers(chain, { clientVersion: 'test', tipPerGas: () => GWEI });
    const transaction = pay(0);
    chain.push(mineBlock(genesis, [transaction], AT));
    chain.push(mineBlock(chain.head, [], AT));
    expect(answer('eth_getTransactionReceipt', [transaction.hash])).to.include({ blockNumber: '0x1', status: '0x1' });
    expect(answer('eth_getBlockByNumber', ['finalized', false])).to.include({ number: '0x1' });
    const dropped = chain.head.hash;
    chain.truncate(0);
    chain.push(mineBlock(genesis, [], { ...AT, variant: 1 }));
    expect(answer('eth_getTransactionReceipt', [transaction.hash])).to.equal(null);
    expect(answer('eth_getTransactionCount', [RICH.address, 'latest'])).to.equal('0x0');
    expect(answer('eth_getBlockByHash', [dropped, false])).to.equal(null);
    expect(answer('eth_gasPrice', [])).to.equal(`0x${(11n * GWEI).toString(16)}`);
    expect(() => chain.push(mineBlock(genesis, [], AT))).to.throw('not on top of the head');
  });
});
