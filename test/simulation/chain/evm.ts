// Executes transactions and calls on a state.
import { getCreateAddress } from 'ethers';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { Reverted } from './calldata.ts';
import {
  addBalance,
  type ChainState,
  commitDraft,
  draftState,
  readAccount,
  type StateDraft,
  type StateStore,
} from './chainState.ts';
import { runLedger } from './contractModel.ts';
import { createLedgerCall, type EmittedLog } from './ledgerCall.ts';
import { isLedgerCreation, LEDGER_CODE, readConstructorArgument } from './ledgerCode.ts';
import { constructLedger } from './ledgerRoles.ts';
import type { DecodedTransaction } from './transactions.ts';

/** A call, or the part of a transaction that is executed. */
export interface Message {
  readonly from: Hex;
  readonly to: Hex | undefined;
  readonly data: Uint8Array;
  readonly value: bigint;
  readonly gasLimit: number;
  /** Gas that is paid before the first step. */
  readonly intrinsicGas: number;
}

/** The end of an execution. */
export interface Outcome {
  readonly status: 'succeeded' | 'reverted' | 'outOfGas';
  readonly gasUsed: number;
  readonly logs: readonly EmittedLog[];
  /** Of a creation that succeeded. */
  readonly contractAddress: Hex | undefined;
  /** The result, or the data of the revert. */
  readonly output: Hex;
}

interface Result {
  readonly gas: number;
  readonly logs: readonly EmittedLog[];
  readonly contractAddress?: Hex;
  readonly output: Hex;
}

const GAS_CODE_BYTE = 200;
const GAS_REVERTED = 5_000;
const NOTHING: Result = { gas: 0, logs: [], output: '0x' };

const store = (state: StateStore, address: Hex, code: { bytes: Hex; isLedger: boolean }): number => {
  state.accounts.set(address, { ...readAccount(state, address), nonce: 1, code });
  return (code.bytes.length / 2 - 1) * GAS_CODE_BYTE;
};

const create = (state: StateStore, chainId: number, { from, data, value }: Message): Result => {
  const nonce = readAccount(state, from).nonce - 1;
  const contract = getCreateAddress({ from, nonce }).toLowerCase() as Hex;
  addBalance(state, contract, value);
  if (!isLedgerCreation(data)) {
    const bytes = toHex(data);
    const gas = store(state, contract, { bytes, isLedger: false });
    return { gas, logs: [], contractAddress: contract, output: bytes };
  }
  const call = createLedgerCall({ chainId, contract, sender: from, data, state });
  if (value !== 0n) throw new Reverted();
  constructLedger(call, readConstructorArgument(data));
  const gas = store(state, contract, LEDGER_CODE) + call.spent();
  return { gas, logs: call.logs, contractAddress: contract, output: LEDGER_CODE.bytes };
};

const run = (state: StateStore, chainId: number, message: Message): Result => {
  const { from, to, data, value } = message;
  addBalance(state, from, -value);
  if (to === undefined) return create(state, chainId, message);
  addBalance(state, to, value);
  if (!readAccount(state, to).code?.isLedger) return NOTHING;
  const call = createLedgerCall({ chainId, contract: to, sender: from, data, state });
  const output = runLedger(call, data, value);
  return { gas: call.spent(), logs: call.logs, output };
};

const fail = (status: 'reverted' | 'outOfGas', gasUsed: number, output: Hex = '0x'): Outcome => ({
  status,
  gasUsed,
  logs: [],
  contractAddress: undefined,
  output,
});

// The changes in `draft` are those of the execution, to be committed only if it succeeds.
const execute = (draft: StateDraft, chainId: number, message: Message): Outcome => {
  const { gasLimit, intrinsicGas } = message;
  try {
    const { gas, logs, contractAddress, output } = run(draft, chainId, message);
    const gasUsed = intrinsicGas + gas;
    if (gasUsed > gasLimit) return fail('outOfGas', gasLimit);
    return { status: 'succeeded', gasUsed, logs, contractAddress, output };
  } catch (error) {
    if (!(error instanceof Reverted)) throw error;
    const gasUsed = intrinsicGas + GAS_REVERTED;
    return gasUsed > gasLimit ? fail('outOfGas', gasLimit) : fail('reverted', gasUsed, error.data);
  }
};

/** Executes a call without effect. A creation uses the address of the account's next transaction. */
export const executeCall = (state: ChainState, chainId: number, message: Message): Outcome => {
  const draft = draftState(state);
  const sender = readAccount(draft, message.from);
  draft.accounts.set(message.from, { ...sender, nonce: sender.nonce + 1 });
  return execute(draft, chainId, message);
};

/** Parameters of the block that a transaction is executed in. */
export interface BlockTerms {
  readonly chainId: number;
  /** Beneficiary of the tips, lower-case. */
  readonly coinbase: Hex;
  /** Wei. */
  readonly baseFeePerGas: bigint;
}

/** Price of a unit of gas that a transaction pays, in wei. */
export const toEffectiveGasPrice = (
  { maxFeePerGas, maxPriorityFeePerGas }: DecodedTransaction,
  baseFeePerGas: bigint,
): bigint => {
  const price = baseFeePerGas + maxPriorityFeePerGas;
  return price < maxFeePerGas ? price : maxFeePerGas;
};

/** Executes a transaction that `findRefusal` accepts, and changes the state. */
export const executeTransaction = (state: ChainState, transaction: DecodedTransaction, terms: BlockTerms): Outcome => {
  const { from } = transaction;
  const sender = readAccount(state, from);
  state.accounts.set(from, { ...sender, nonce: sender.nonce + 1 });
  const draft = draftState(state);
  const outcome = execute(draft, terms.chainId, transaction);
  if (outcome.status === 'succeeded') commitDraft(draft);
  const price = toEffectiveGasPrice(transaction, terms.baseFeePerGas);
  const gas = BigInt(outcome.gasUsed);
  addBalance(state, from, -price * gas);
  addBalance(state, terms.coinbase, (price - terms.baseFeePerGas) * gas);
  return outcome;
};
