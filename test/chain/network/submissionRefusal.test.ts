// The texts by which clients refuse transactions, from their sources.
import { expect } from 'chai';
import { type RefusalReason, readRefusal } from '../../../chain/network/submissionRefusal.ts';

const TEXTS: readonly (readonly [client: string, text: string, reason: RefusalReason | undefined])[] = [
  ['geth', 'transaction underpriced: gas tip cap 0, minimum needed 1', 'tooCheap'],
  ['geth', 'transaction gas price below minimum: gas tip cap 0, minimum needed 1', 'tooCheap'],
  ['geth', 'replacement transaction underpriced', 'tooCheap'],
  ['geth', 'max fee per gas less than block base fee: address 0x01, maxFeePerGas: 1, baseFee: 7', 'tooCheap'],
  ['geth', 'insufficient funds for gas * price + value: balance 0, tx cost 21000, overshot 21000', 'unfunded'],
  ['geth', 'nonce too low: next nonce 7, tx nonce 5', undefined],
  ['geth', 'txpool is full', undefined],
  ['anvil', 'Insufficient funds for gas * price + value', 'unfunded'],
  ['Besu', 'Gas price below configured minimum gas price', 'tooCheap'],
  ['Besu', 'Gas price below current base fee', 'tooCheap'],
  ['Besu', 'Replacement transaction underpriced', 'tooCheap'],
  ['Besu', 'Upfront cost exceeds account balance', 'unfunded'],
  ['Besu', 'transaction up-front cost 0x5208 exceeds transaction sender account balance 0x0', 'unfunded'],
  ['Besu', 'Nonce too low', undefined],
  ['Besu', 'Transaction gas limit exceeds block gas limit', undefined],
  ['Erigon', 'INTERNAL_ERROR: could not replace existing tx', 'tooCheap'],
  ['Erigon', 'INTERNAL_ERROR: fee too low', 'tooCheap'],
  ['Erigon', 'INTERNAL_ERROR: insufficient funds', 'unfunded'],
  ['Erigon', 'INTERNAL_ERROR: queued sub-pool is full', undefined],
  ['Nethermind', 'FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 0, BaseFee: 7', 'tooCheap'],
  ['Nethermind', 'FeeTooLowToCompete', 'tooCheap'],
  ['Nethermind', 'ReplacementNotAllowed', 'tooCheap'],
  ['Nethermind', 'InsufficientFunds, Account balance: 0, cumulative cost: 21000', 'unfunded'],
  ['Nethermind', 'NonceGap, Future nonce. Expected nonce: 5', undefined],
];

describe("a node's refusal of a transaction", () => {
  for (const [client, text, reason] of TEXTS) {
    it(`is ${reason ?? 'another one'}: ${client}, ${text}`, () => {
      expect(readRefusal(text)).to.equal(reason);
    });
  }
});
