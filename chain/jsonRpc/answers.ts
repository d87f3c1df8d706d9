// What a node's answers must look like. A node is not trusted to keep to the protocol: what doesn't is a failed call.

import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import type { BlockRef } from '../port.ts';
import type { JsonRpcClient } from './jsonRpcClient.ts';

export interface BlockHeader extends BlockRef {
  readonly timestampSeconds: number;
  readonly gasLimit: number;
  /** Wei; undefined before EIP-1559. */
  readonly baseFeePerGas: bigint | undefined;
  /** 256 bytes. */
  readonly logsBloom: Hex;
  /** Hashes of its transactions, as they came. */
  readonly transactions: readonly unknown[];
}

export interface Receipt extends BlockRef {
  readonly transactionHash: Hex;
  readonly hasSucceeded: boolean;
}

const HASH = /^0x[0-9a-f]{64}$/;
const BLOOM = /^0x[0-9a-f]{512}$/;
const QUANTITY = /^0x(0|[1-9a-f][0-9a-f]{0,63})$/;
const BYTES = /^0x([0-9a-f]{2})*$/;

/** The failed call that an answer stands for that can't be right. */
export const refuseAnswer = ({ name }: JsonRpcClient, problem: string, cause?: unknown): LedgerError =>
  new LedgerError('CHAIN_UNAVAILABLE', { message: `${name} answers nonsense: ${problem}`, cause });

const expectText = (client: JsonRpcClient, value: unknown, form: RegExp, what: string): Hex => {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (!form.test(text)) throw refuseAnswer(client, what);
  return text as Hex;
};

const expectObject = (client: JsonRpcClient, value: unknown, what: string): Record<string, unknown> => {
  if (!isJsonObject(value)) throw refuseAnswer(client, what);
  return value;
};

export const decodeHash = (client: JsonRpcClient, value: unknown, what: string): Hex =>
  expectText(client, value, HASH, what);

export const decodeBytes = (client: JsonRpcClient, value: unknown, what: string): Hex =>
  expectText(client, value, BYTES, what);

export const decodeBigInt = (client: JsonRpcClient, value: unknown, what: string): bigint =>
  BigInt(expectText(client, value, QUANTITY, what));

/** A quantity that must be a safe integer. */
export const decodeNumber = (client: JsonRpcClient, value: unknown, what: string): number => {
  const number = Number(decodeBigInt(client, value, what));
  if (!Number.isSafeInteger(number)) throw refuseAnswer(client, what);
  return number;
};

const decodeHeader = (client: JsonRpcClient, answer: unknown): BlockHeader => {
  const { number, hash, timestamp, gasLimit, baseFeePerGas, logsBloom, transactions } = expectObject(
    client,
    answer,
    'a block',
  );
  if (!Array.isArray(transactions)) throw refuseAnswer(client, "a block's transactions");
  return {
    number: decodeNumber(client, number, "a block's number"),
    hash: decodeHash(client, hash, "a block's hash"),
    timestampSeconds: decodeNumber(client, timestamp, "a block's timestamp"),
    gasLimit: decodeNumber(client, gasLimit, "a block's gas limit"),
    baseFeePerGas: baseFeePerGas == null ? undefined : decodeBigInt(client, baseFeePerGas, "a block's base fee"),
    logsBloom: expectText(client, logsBloom, BLOOM, "a block's bloom filter"),
    transactions,
  };
};

/** Text of a number as JSON-RPC has it. */
export const toQuantity = (number: number | bigint): Hex => `0x${number.toString(16)}`;

/** Header of a block by number or tag; undefined when the node has none. */
export const fetchHeader = async (
  client: JsonRpcClient,
  block: number | 'latest' | 'finalized',
): Promise<BlockHeader | undefined> => {
  const tag = typeof block === 'number' ? toQuantity(block) : block;
  const answer = await client.request('eth_getBlockByNumber', [tag, false]);
  if (answer === null) return undefined;
  const header = decodeHeader(client, answer);
  if (typeof block === 'number' && header.number !== block) throw refuseAnswer(client, `another block than ${block}`);
  return header;
};

/** The receipt of a transaction; undefined when it isn't mined. */
export const fetchReceipt = async (client: JsonRpcClient, hash: Hex): Promise<Receipt | undefined> => {
  const answer = await client.request('eth_getTransactionReceipt', [hash]);
  if (answer === null) return undefined;
  const { transactionHash, blockNumber, blockHash, status } = expectObject(client, answer, 'a receipt');
  if (decodeHash(client, transactionHash, "a receipt's transaction") !== hash) {
    throw refuseAnswer(client, 'the receipt of another transaction');
  }
  // A transaction that waits in the pool: some nodes say so with nulls.
  if (blockHash == null || blockNumber == null) return undefined;
  const success = decodeNumber(client, status, "a receipt's status");
  if (success > 1) throw refuseAnswer(client, "a receipt's status");
  return {
    transactionHash: hash,
    number: decodeNumber(client, blockNumber, "a receipt's block"),
    hash: decodeHash(client, blockHash, "a receipt's block"),
    hasSucceeded: success === 1,
  };
};

/** Whether the node has a transaction, in its pool or in a block. */
export const isTransactionKnown = async (client: JsonRpcClient, hash: Hex): Promise<boolean> =>
  (await client.request('eth_getTransactionByHash', [hash])) !== null;

/** Transactions of an account in blocks up to the newest. */
export const fetchTransactionCount = async (client: JsonRpcClient, address: Hex): Promise<number> =>
  decodeNumber(client, await client.request('eth_getTransactionCount', [address, 'latest']), 'a transaction count');

/** Hash of a signed transaction. */
export const toTransactionHash = (raw: Uint8Array): Hex => toHex(keccak256(raw));
