// The pool of a simulated node, by its own rules and beside anvil's.
import { expect } from 'chai';
import type { Wallet } from '../../../chain/wallet.ts';
import { signTransaction } from '../../../chain/writing/signTransaction.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { type ExternalNode, setBalance, skipWithoutAnvil, startNode } from '../../support/externalNode.ts';
import { TEST_CHAIN_ID } from '../../support/testLedger.ts';
import { walletOf } from '../chain/support/chainPair.ts';
import { createWorld } from '../world/world.ts';
import { createNetwork, type SimulatedNetwork } from './network.ts';

const GWEI = 1_000_000_000n;
const ETHER = 10n ** 18n;
const GAS = 21_000;
const wallet = walletOf(1);
const poor = walletOf(2);

const sign = (signer: Wallet, nonce: number, gwei: bigint, dataBytes = 0): string => {
  const fees = { maxFeePerGas: gwei * GWEI, maxPriorityFeePerGas: gwei * GWEI };
  const gasLimit = GAS + dataBytes * 40;
  const fields = { chainId: TEST_CHAIN_ID, nonce, gasLimit, fees, to: wallet.addressBytes };
  return toHex(signTransaction({ ...fields, data: new Uint8Array(dataBytes) }, signer));
};

/** Transactions in order: the error by which pools refuse each, or undefined. */
const STEPS: readonly { readonly raw: string; readonly refusal: RegExp | undefined }[] = [
  { raw: sign(wallet, 0, 10n), refusal: undefined },
  { raw: sign(wallet, 0, 10n), refusal: /already (known|imported)/ },
  { raw: sign(wallet, 0, 10n, 1), refusal: /underpriced/ },
  { raw: sign(wallet, 0, 12n), refusal: undefined },
  { raw: sign(wallet, 2, 10n), refusal: undefined },
  { raw: sign(poor, 0, 10n), refusal: /insufficient funds/i },
];

const openNetwork = (): SimulatedNetwork => {
  createWorld(1);
  return createNetwork({
    chainId: TEST_CHAIN_ID,
    nodes: 1,
    finalDepth: 1,
    blockMs: 1_000,
    baseFeePerGas: GWEI,
    timeoutMs: 1_000,
    balances: { [wallet.address]: ETHER },
  });
};

type Answer = { readonly result: unknown } | { readonly error: { readonly message: string } };

const expectAnswer = (answer: Answer, refusal: RegExp | undefined): void => {
  if (refusal === undefined) expect(answer).to.have.property('result');
  else expect('error' in answer ? answer.error.message : 'accepted').to.match(refusal);
};

describe('the pool of a simulated node', () => {
  it('refuses transactions as geth does', () => {
    const [node] = openNetwork().nodes;
    for (const { raw, refusal } of STEPS) expectAnswer(node!.answer('eth_sendRawTransaction', [raw]), refusal);
  });

  it('includes waiting transactions up to a nonce gap, and refuses used nonces', () => {
    const { nodes, validator, miner, tree } = openNetwork();
    for (const { raw } of STEPS) nodes[0]!.answer('eth_sendRawTransaction', [raw]);
    for (const transaction of nodes[0]!.peer.pool.list()) validator.offer(transaction);
    const mined = [1, 2, 3, 4].flatMap(() => miner.mine().receipts.map(({ transaction }) => transaction.nonce));
    expect(mined).to.deep.equal([0]);
    expect(validator.pool.list().map(({ nonce }) => nonce)).to.deep.equal([2]);
    nodes[0]!.follow();
    expect(nodes[0]!.peer.view.head).to.equal(tree.tip);
    expectAnswer(nodes[0]!.answer('eth_sendRawTransaction', [sign(wallet, 0, 50n)]), /nonce too low/);
    expect(nodes[0]!.answer('eth_getTransactionCount', [wallet.address, 'pending'])).to.deep.equal({ result: '0x1' });
  });

  it('refuses what is larger than 128 KiB, and does not mine what bids less than the base fee', () => {
    const { nodes, validator, miner } = openNetwork();
    const large = nodes[0]!.answer('eth_sendRawTransaction', [sign(wallet, 0, 1n, 140_000)]);
    expectAnswer(large, /oversized data/);
    miner.conditions.feeFactor = 20;
    expectAnswer(nodes[0]!.answer('eth_sendRawTransaction', [sign(wallet, 0, 10n)]), undefined);
    for (const transaction of nodes[0]!.peer.pool.list()) validator.offer(transaction);
    const countMined = (): number => [1, 2, 3, 4].flatMap(() => miner.mine().receipts).length;
    expect(countMined()).to.equal(0);
    miner.conditions.feeFactor = 1;
    expect(countMined()).to.equal(1);
  });

  it('refuses what anvil refuses, with messages that the submitter reads alike', async function () {
    skipWithoutAnvil(this);
    const anvil: ExternalNode = await startNode('anvil', { more: ['--no-mining'] });
    try {
      await setBalance(anvil, wallet.address);
      for (const { raw, refusal } of STEPS) {
        const answer = await anvil.request('eth_sendRawTransaction', [raw]).then(
          (result): Answer => ({ result }),
          (error: Error): Answer => ({ error }),
        );
        expectAnswer(answer, refusal);
      }
      await anvil.request('evm_mine', []);
      const late = anvil.request('eth_sendRawTransaction', [sign(wallet, 0, 50n)]);
      expect(await late.catch(({ message }: Error) => message)).to.match(/nonce too low/i);
      await expectSameShape(anvil);
    } finally {
      await anvil.kill();
    }
  });
});

const keysOf = (value: unknown): string[] => Object.keys(value as object).sort();

// Fields that the project's code reads must have the same names and forms.
const expectSameShape = async (anvil: ExternalNode): Promise<void> => {
  const { nodes, validator, miner } = openNetwork();
  nodes[0]!.answer('eth_sendRawTransaction', [STEPS[0]!.raw]);
  for (const transaction of nodes[0]!.peer.pool.list()) validator.offer(transaction);
  while (validator.pool.list().length > 0) miner.mine();
  nodes[0]!.follow();
  const ask = (method: string, params: readonly unknown[]): unknown =>
    (nodes[0]!.answer(method, params) as { result: unknown }).result;
  const [hash] = ((await anvil.request('eth_getBlockByNumber', ['latest', false])) as { transactions: string[] })
    .transactions;
  const [ours] = validator.view.head.receipts.map(({ transaction }) => transaction.hash);
  for (const [method, theirParams, ourParams] of [
    ['eth_getBlockByNumber', ['latest', false], ['latest', false]],
    ['eth_getTransactionReceipt', [hash], [ours]],
  ] as const) {
    const theirs = keysOf(await anvil.request(method, theirParams));
    expect(theirs).to.include.members(keysOf(ask(method, ourParams)));
  }
};
