// Blocks of a simulated chain. A block is a value: it has its transactions, their receipts and the state after them.
import { RPC_CODE, RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { hashHeader } from '../../../ledger/evidence/blockHeader.ts';
import { buildListTrie } from '../../../ledger/evidence/listTrie.ts';
import { encodeReceipt } from '../../../ledger/evidence/receipt.ts';
import { toRlpNumber } from '../../../ledger/evidence/rlp.ts';
import { EMPTY_BLOOM, toBloom } from './bloom.ts';
import { addBalance, type ChainState, createState, forkState } from './chainState.ts';
import { executeTransaction, type Outcome, toEffectiveGasPrice } from './evm.ts';
import type { EmittedLog } from './ledgerCall.ts';
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
  /** A hash that follows from the content; not the root of a trie. */
  readonly stateRoot: Hex;
  readonly transactionsRoot: Hex;
  readonly receiptsRoot: Hex;
  /** Distinguishes blocks of the same content; also as a hash in the header. */
  readonly variant: number;
  readonly mixHash: Hex;
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
  /** Logs that the first transaction has besides its own, against the rules of the chain; all hashes are right. */
  readonly inventedLogs?: readonly EmittedLog[];
}

const NO_HASH: Hex = `0x${'00'.repeat(32)}`;
/** Hash of an empty list. */
export const NO_UNCLES: Hex = toHex(keccak256(Uint8Array.of(0xc0)));
/** Root of a trie without entries. */
export const EMPTY_TRIE: Hex = toHex(keccak256(Uint8Array.of(0x80)));

const EMPTY = new Uint8Array();

const hashTexts = (...texts: readonly string[]): Hex => toHex(keccak256(Buffer.from(texts.join(' '), 'latin1')));

type Sealed = Omit<SimulatedBlock, 'hash' | 'mixHash' | 'stateRoot' | 'transactionsRoot' | 'receiptsRoot'>;

// The logs follow from the transactions and the state before them.
const summarize = ({ transaction, status, gasUsed }: SimulatedReceipt): string =>
  `${transaction.hash} ${status} ${gasUsed}`;

const toReceiptBytes = ({ transaction, status, cumulativeGasUsed, logsBloom, logs }: SimulatedReceipt): Uint8Array =>
  encodeReceipt({
    type: transaction.type,
    isSuccessful: status === 'succeeded',
    cumulativeGasUsed,
    bloom: fromHex(logsBloom),
    logs: logs.map(({ address, topics, data }) => ({
      address: fromHex(address),
      topics: topics.map(fromHex),
      data: fromHex(data),
    })),
  });

const toRoot = (items: readonly Uint8Array[]): Hex => toHex(buildListTrie(items).root);

const toBlockHash = (block: Omit<SimulatedBlock, 'hash'>): Hex =>
  toHex(
    hashHeader({
      parentHash: fromHex(block.parentHash),
      sha3Uncles: fromHex(NO_UNCLES),
      miner: fromHex(block.terms.coinbase),
      stateRoot: fromHex(block.stateRoot),
      transactionsRoot: fromHex(block.transactionsRoot),
      receiptsRoot: fromHex(block.receiptsRoot),
      logsBloom: fromHex(block.logsBloom),
      difficulty: EMPTY,
      number: toRlpNumber(block.number),
      gasLimit: toRlpNumber(block.terms.blockGasLimit),
      gasUsed: toRlpNumber(block.gasUsed),
      timestamp: toRlpNumber(block.timestampSeconds),
      extraData: EMPTY,
      mixHash: fromHex(block.mixHash),
      nonce: new Uint8Array(8),
      baseFeePerGas: toRlpNumber(block.baseFeePerGas),
      withdrawalsRoot: fromHex(EMPTY_TRIE),
      blobGasUsed: EMPTY,
      excessBlobGas: EMPTY,
      parentBeaconBlockRoot: fromHex(NO_HASH),
    }),
  );

const seal = (block: Sealed, parentStateRoot: Hex): SimulatedBlock => {
  const { receipts, variant } = block;
  const sealed = {
    ...block,
    mixHash: `0x${variant.toString(16).padStart(64, '0')}` as const,
    stateRoot: hashTexts('state', parentStateRoot, ...receipts.map(summarize)),
    transactionsRoot: toRoot(receipts.map(({ transaction }) => transaction.raw)),
    receiptsRoot: toRoot(receipts.map(toReceiptBytes)),
  };
  return { ...sealed, hash: toBlockHash(sealed) };
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

const createExecutor = (
  state: ChainState,
  terms: ChainTerms,
  { baseFeePerGas, inventedLogs = [] }: Pick<BlockOptions, 'baseFeePerGas' | 'inventedLogs'>,
) => {
  const receipts: SimulatedReceipt[] = [];
  let gasUsed = 0;
  let logCount = 0;
  const add = (transaction: DecodedTransaction): void => {
    const gasLeft = terms.blockGasLimit - gasUsed;
    const refusal = findRefusal(state, transaction, { ...terms, baseFeePerGas, gasLeft });
    if (refusal !== undefined) throw refuseInclusion(refusal.message);
    const outcome = executeTransaction(state, transaction, { ...terms, baseFeePerGas });
    gasUsed += outcome.gasUsed;
    const logs = receipts.length === 0 ? [...outcome.logs, ...inventedLogs] : outcome.logs;
    receipts.push({
      ...outcome,
      logs,
      transaction,
      index: receipts.length,
      cumulativeGasUsed: gasUsed,
      effectiveGasPrice: toEffectiveGasPrice(transaction, baseFeePerGas),
      logsBloom: toBloom(logs),
      firstLogIndex: logCount,
    });
    logCount += logs.length;
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
  const { add, receipts, gasUsed } = createExecutor(state, terms, options);
  for (const transaction of transactions) add(transaction);
  const logsBloom = receipts.length === 1 ? receipts[0]!.logsBloom : toBloom(receipts.flatMap(({ logs }) => logs));
  const place = { terms, number: parent.number + 1, parentHash: parent.hash };
  return seal(
    { ...place, timestampSeconds, baseFeePerGas, variant, gasUsed: gasUsed(), logsBloom, receipts, state },
    parent.stateRoot,
  );
};
