// Queries to one node whose answers are decoded and checked: blocks, receipts, transaction counts.
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import type { BlockRef } from '../port.ts';
import { decodeBigInt, decodeHash, decodeNumber, decodeObject, decodeSeconds } from './decodeAnswer.ts';
import { FalseAnswer, InvalidAnswer } from './falseAnswer.ts';
import type { JsonRpcClient } from './jsonRpcClient.ts';
import { toQuantity } from './toQuantity.ts';

/** A block as a node returns it, without its transactions. */
export interface NodeBlock extends BlockRef {
  readonly timestampSeconds: number;
  readonly gasLimit: number;
  /** Wei; undefined before EIP-1559. */
  readonly baseFeePerGas: bigint | undefined;
}

/** A block with the hashes of its transactions. */
export interface BlockTransactions extends BlockRef {
  readonly parentHash: Hex;
  readonly transactions: readonly Hex[];
}

/** Receipt of a mined transaction, with the block that contains it. */
export interface TransactionReceipt extends BlockRef {
  readonly transactionHash: Hex;
  readonly hasSucceeded: boolean;
  /** Undefined when the node reports none. */
  readonly gasUsed: number | undefined;
}

const decodeNodeBlock = (client: JsonRpcClient, answer: unknown): NodeBlock => {
  const { number, hash, timestamp, gasLimit, baseFeePerGas } = decodeObject(client, answer, 'a block');
  return {
    number: decodeNumber(client, number, "a block's number"),
    hash: decodeHash(client, hash, "a block's hash"),
    timestampSeconds: decodeSeconds(client, timestamp, "a block's timestamp"),
    gasLimit: decodeNumber(client, gasLimit, "a block's gas limit"),
    baseFeePerGas: baseFeePerGas == null ? undefined : decodeBigInt(client, baseFeePerGas, "a block's base fee"),
  };
};

/** A block by number or tag; undefined when the node doesn't have it. */
export const fetchBlock = async (
  client: JsonRpcClient,
  block: number | 'latest' | 'finalized',
): Promise<NodeBlock | undefined> => {
  const tag = typeof block === 'number' ? toQuantity(block) : block;
  const answer = await client.request('eth_getBlockByNumber', [tag, false]);
  if (answer === null) return undefined;
  const found = decodeNodeBlock(client, answer);
  if (typeof block === 'number' && found.number !== block) throw new FalseAnswer(client, `another block than ${block}`);
  return found;
};

/** A block by number, or the newest one, with the hashes of its transactions; undefined when the node lacks it. */
export const fetchTransactions = async (
  client: JsonRpcClient,
  block: number | 'latest',
): Promise<BlockTransactions | undefined> => {
  const tag = typeof block === 'number' ? toQuantity(block) : block;
  const answer = await client.request('eth_getBlockByNumber', [tag, false]);
  if (answer === null) return undefined;
  const { number, hash, parentHash, transactions } = decodeObject(client, answer, 'a block');
  if (!Array.isArray(transactions)) throw new InvalidAnswer(client, "a block's transactions");
  return {
    number: decodeNumber(client, number, "a block's number"),
    hash: decodeHash(client, hash, "a block's hash"),
    parentHash: decodeHash(client, parentHash, "a block's parent"),
    transactions: transactions.map((each) => decodeHash(client, each, "a transaction's hash")),
  };
};

/** The receipt of a transaction; undefined while it isn't mined. */
export const fetchReceipt = async (client: JsonRpcClient, hash: Hex): Promise<TransactionReceipt | undefined> => {
  const answer = await client.request('eth_getTransactionReceipt', [hash]);
  if (answer === null) return undefined;
  const { transactionHash, blockNumber, blockHash, status, gasUsed } = decodeObject(client, answer, 'a receipt');
  if (decodeHash(client, transactionHash, "a receipt's transaction") !== hash) {
    throw new InvalidAnswer(client, 'the receipt of another transaction');
  }
  // For a transaction in the pool, some nodes answer with nulls.
  if (blockHash == null || blockNumber == null) return undefined;
  const success = decodeNumber(client, status, "a receipt's status");
  if (success > 1) throw new InvalidAnswer(client, "a receipt's status");
  return {
    transactionHash: hash,
    number: decodeNumber(client, blockNumber, "a receipt's block"),
    hash: decodeHash(client, blockHash, "a receipt's block"),
    hasSucceeded: success === 1,
    gasUsed: gasUsed == null ? undefined : decodeNumber(client, gasUsed, "a receipt's gas"),
  };
};

/** Whether the node has a transaction, in its pool or in a block. */
export const isTransactionKnown = async (client: JsonRpcClient, hash: Hex): Promise<boolean> =>
  (await client.request('eth_getTransactionByHash', [hash])) !== null;

/** Number of an account's transactions in blocks up to the newest. */
export const fetchTransactionCount = async (client: JsonRpcClient, address: Hex): Promise<number> =>
  decodeNumber(client, await client.request('eth_getTransactionCount', [address, 'latest']), 'a transaction count');

/** Hash of a signed transaction. */
export const toTransactionHash = (raw: Uint8Array): Hex => toHex(keccak256(raw));
