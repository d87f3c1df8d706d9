// Blocks of a simulated chain. A block is a value: it has its transactions, their receipts and the state after them.
import { RPC_CODE, RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { EMPTY_BLOOM, toBloom } from './bloom.ts';
import { addBalance, type ChainState, createState, forkState } from './chainState.ts';
import { executeTransaction, type Outcome, toEffectiveGasPrice } from './evm.ts';
import { findRefusal } from './refusals.ts';
import type { DecodedTransaction } from './transactions.ts';

/** What stays the same in all blocks of a chain. */
export interface ChainTerms {
  readonly chainId: number;
  readonly blockGasLimit: number;
  /** Largest gas limit of a transaction. */
  readonly transactionGasMax: number;
  /** Beneficiary of the blocks, lower-case. */
  readonly coinbase: Hex;
}

/** A transaction in a block, with its outcome. */
export interface SimulatedReceipt extends Outcome {
  readonly transaction: DecodedTransaction;
  readonly index: number;
  /** Gas of this transaction and those before it in the block. */
  readonly cumulativeGasUsed: number;
  /** Wei. */
  readonly effectiveGasPrice: bigint;
  readonly logsBloom: Hex;
  /** Number of logs before its first one in the block. */
  readonly firstLogIndex: number;
}

/** A block and the state after it. */
export interface SimulatedBlock {
  readonly terms: ChainTerms;
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestampSeconds: number;
  /** Wei. */
  readonly baseFeePerGas: bigint;
  readonly gasUsed: number;
  readonly logsBloom: Hex;
  /** Hashes that follow from the content; not roots of tries. */
  readonly stateRoot: Hex;
  readonly transactionsRoot: Hex;
  readonly receiptsRoot: Hex;
  /** Distinguishes blocks of the same content. */
  readonly variant: number;
  readonly receipts: readonly SimulatedReceipt[];
  readonly state: ChainState;
}

/** The part of a new block that its miner decides. */
export interface BlockOptions {
  readonly timestampSeconds: number;
  /** Wei. */
  readonly baseFeePerGas: bigint;
  /** Distinguishes blocks of the same content; 0 where it is left out. */
  readonly variant?: number;
}

const NO_HASH: Hex = `0x${'00'.repeat(32)}`;

const hashTexts = (...texts: readonly string[]): Hex => toHex(keccak256(Buffer.from(texts.join(' '), 'latin1')));

type Sealed = Omit<SimulatedBlock, 'hash' | 'stateRoot' | 'transactionsRoot' | 'receiptsRoot'>;

// The logs follow from the transactions and the state before them.
const summarize = ({ transaction, status, gasUsed }: SimulatedReceipt): string =>
  `${transaction.hash} ${status} ${gasUsed}`;

const seal = (block: Sealed, parentStateRoot: Hex): SimulatedBlock => {
  const transactionsRoot = hashTexts(...block.receipts.map(({ transaction }) => transaction.hash));
  const receiptsRoot = hashTexts(parentStateRoot, ...block.receipts.map(summarize));
  const stateRoot = hashTexts('state', receiptsRoot);
  const { terms, number, timestampSeconds, baseFeePerGas, variant } = block;
  const numbers = [terms.chainId, terms.blockGasLimit, number, timestampSeconds, variant];
  const hash = hashTexts(
    block.parentHash,
    stateRoot,
    transactionsRoot,
    terms.coinbase,
    `${baseFeePerGas}`,
    numbers.join(),
  );
  return { ...block, hash, stateRoot, transactionsRoot, receiptsRoot };
};

/** Block 0 of a chain, with these balances in wei by lower-case address. */
export const createGenesisBlock = (
  terms: ChainTerms,
  options: BlockOptions & { balances?: Readonly<Record<Hex, bigint>> },
): SimulatedBlock => {
  const { timestampSeconds, baseFeePerGas, variant = 0, balances = {} } = options;
  const state = createState();
  for (const [address, balance] of Object.entries(balances)) addBalance(state, address as Hex, balance);
  const fields = { terms, number: 0, parentHash: NO_HASH, timestampSeconds, baseFeePerGas, variant, state };
  const balanceTexts = Object.entries(balances).map(([address, balance]) => `${address} ${balance}`);
  return seal({ ...fields, gasUsed: 0, logsBloom: EMPTY_BLOOM, receipts: [] }, hashTexts(...balanceTexts));
};

const refuseInclusion = (message: string): RpcError => new RpcError(RPC_CODE.REFUSED, message);

const createExecutor = (state: ChainState, terms: ChainTerms, baseFeePerGas: bigint) => {
  const receipts: SimulatedReceipt[] = [];
  let gasUsed = 0;
  let logCount = 0;
  const add = (transaction: DecodedTransaction): void => {
    const gasLeft = terms.blockGasLimit - gasUsed;
    const refusal = findRefusal(state, transaction, { ...terms, baseFeePerGas, gasLeft });
    if (refusal !== undefined) throw refuseInclusion(refusal.message);
    const outcome = executeTransaction(state, transaction, { ...terms, baseFeePerGas });
    gasUsed += outcome.gasUsed;
    receipts.push({
      ...outcome,
      transaction,
      index: receipts.length,
      cumulativeGasUsed: gasUsed,
      effectiveGasPrice: toEffectiveGasPrice(transaction, baseFeePerGas),
      logsBloom: toBloom(outcome.logs),
      firstLogIndex: logCount,
    });
    logCount += outcome.logs.length;
  };
  return { add, receipts, gasUsed: () => gasUsed };
};

/**
 * Mines a block of these transactions, in order, on top of `parent`. `parent` stays as it is.
 * @throws RpcError REFUSED when one of them can't be included there: ask `findRefusal` first.
 */
export const mineBlock = (
  parent: SimulatedBlock,
  transactions: readonly DecodedTransaction[],
  options: BlockOptions,
): SimulatedBlock => {
  const { timestampSeconds, baseFeePerGas, variant = 0 } = options;
  const { terms } = parent;
  const state = forkState(parent.state);
  const { add, receipts, gasUsed } = createExecutor(state, terms, baseFeePerGas);
  for (const transaction of transactions) add(transaction);
  const logsBloom = receipts.length === 1 ? receipts[0]!.logsBloom : toBloom(receipts.flatMap(({ logs }) => logs));
  const place = { terms, number: parent.number + 1, parentHash: parent.hash };
  return seal(
    { ...place, timestampSeconds, baseFeePerGas, variant, gasUsed: gasUsed(), logsBloom, receipts, state },
    parent.stateRoot,
  );
};
