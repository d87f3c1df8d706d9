// Why a chain doesn't include a transaction. The messages are those of geth, which the submitter reads.
import { type ChainState, readAccount } from './chainState.ts';
import type { DecodedTransaction } from './transactions.ts';

/** Why a transaction is not included. */
export interface Refusal {
  readonly reason:
    | 'wrong chain'
    | 'nonce too low'
    | 'nonce too high'
    | 'fee too low'
    | 'insufficient funds'
    | 'invalid gas limit'
    | 'invalid fields';
  readonly message: string;
}

/** What a transaction is checked against. */
export interface InclusionTerms {
  readonly chainId: number;
  /** Wei. */
  readonly baseFeePerGas: bigint;
  /** Gas that the block has left. */
  readonly gasLeft: number;
  /** Largest gas limit of a transaction. */
  readonly transactionGasMax: number;
}

/** Why no block can ever include the transaction, whatever the state; undefined when one can. */
export const findPermanentRefusal = (
  transaction: DecodedTransaction,
  { chainId, transactionGasMax }: Pick<InclusionTerms, 'chainId' | 'transactionGasMax'>,
): Refusal | undefined => {
  const { gasLimit, intrinsicGas, to, data, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  if (transaction.chainId !== chainId)
    return {
      reason: 'wrong chain',
      message: `invalid sender: invalid chain id for signer: have ${transaction.chainId} want ${chainId}`,
    };
  if (maxPriorityFeePerGas > maxFeePerGas)
    return { reason: 'invalid fields', message: 'max priority fee per gas higher than max fee per gas' };
  if (to === undefined && data.length === 0)
    return { reason: 'invalid fields', message: 'contract creation without any data provided' };
  if (gasLimit > transactionGasMax) return { reason: 'invalid gas limit', message: 'exceeds block gas limit' };
  if (gasLimit < intrinsicGas)
    return {
      reason: 'invalid gas limit',
      message: `intrinsic gas too low: gas ${gasLimit}, minimum needed ${intrinsicGas}`,
    };
  return undefined;
};

const findFundsRefusal = (state: ChainState, transaction: DecodedTransaction): Refusal | undefined => {
  const { from, gasLimit, maxFeePerGas, value } = transaction;
  const cost = BigInt(gasLimit) * maxFeePerGas + value;
  const { balance } = readAccount(state, from);
  if (cost <= balance) return undefined;
  const message = `insufficient funds for gas * price + value: balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`;
  return { reason: 'insufficient funds', message };
};

const findNonceRefusal = (state: ChainState, { from, nonce }: DecodedTransaction): Refusal | undefined => {
  const next = readAccount(state, from).nonce;
  if (nonce === next) return undefined;
  const reason = nonce < next ? 'nonce too low' : 'nonce too high';
  return { reason, message: `${reason}: next nonce ${next}, tx nonce ${nonce}` };
};

/** Why a block on top of this state doesn't include the transaction next; undefined when it does. */
export const findRefusal = (
  state: ChainState,
  transaction: DecodedTransaction,
  terms: InclusionTerms,
): Refusal | undefined => {
  const refusal = findPermanentRefusal(transaction, terms) ?? findNonceRefusal(state, transaction);
  if (refusal !== undefined) return refusal;
  const { maxFeePerGas, gasLimit } = transaction;
  if (maxFeePerGas < terms.baseFeePerGas) {
    const message = `max fee per gas less than block base fee: maxFeePerGas: ${maxFeePerGas}, baseFee: ${terms.baseFeePerGas}`;
    return { reason: 'fee too low', message };
  }
  if (gasLimit > terms.gasLeft) return { reason: 'invalid gas limit', message: 'exceeds block gas limit' };
  return findFundsRefusal(state, transaction);
};
