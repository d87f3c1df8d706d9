// Transactions and receipts of proven blocks. All transactions of a block rebuild its transactionsRoot, and all its
// receipts the receiptsRoot, so none is left out, invented or changed.
import { mapInSteps, type Steps } from '../../ledger/compliance/steps.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { isSameBytes } from '../../ledger/evidence/bytes.ts';
import { buildListTrieInSteps } from '../../ledger/evidence/listTrie.ts';
import { encodeReceipt, type Receipt, type ReceiptLog } from '../../ledger/evidence/receipt.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import { runInSlices } from '../jsonRpc/answerSlices.ts';
import { decodeHash, decodeNumber, decodeObject, refuseAnswer } from '../jsonRpc/decodeAnswer.ts';
import { assertHolds, InvalidAnswer } from '../jsonRpc/falseAnswer.ts';
import { fetchAll } from '../jsonRpc/fetchAll.ts';
import { toBytes } from '../jsonRpc/headerFields.ts';
import type { JsonRpcClient, NodeCall } from '../jsonRpc/jsonRpcClient.ts';
import { isMethodMissing, RpcError } from '../jsonRpc/rpcError.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { BlockRef } from '../port.ts';
import type { ProvenTransaction } from './authors/provenRecords.ts';
import { encodeTransaction } from './encodeTransaction.ts';
import type { ProvenBlock } from './headerChain.ts';

/** A receipt of a proven block, with the hash of its transaction, which is proven too. */
export interface ProvenReceipt {
  readonly transactionHash: Hex;
  /** The fields of its transaction. */
  readonly transaction: ProvenTransaction;
  readonly receipt: Receipt;
  /** The logs as the node answered with them: what it claims about their place is not proven. */
  readonly claimedLogs: readonly Readonly<Record<string, unknown>>[];
}

/** A transaction of a proven block: its hash, and the fields with which the node answered, of which it is the hash. */
export interface BlockTransaction {
  readonly hash: Hex;
  readonly fields: ProvenTransaction;
}

function* decodeTransactions(client: JsonRpcClient, answer: unknown, block: ProvenBlock): Steps<BlockTransaction[]> {
  if (answer === null) throw refuseAnswer(client, `no block ${block.number}`);
  const { transactions } = decodeObject(client, answer, 'a block');
  if (!Array.isArray(transactions)) throw new InvalidAnswer(client, "a block's transactions");
  const encoded = yield* mapInSteps(transactions, (transaction) => {
    const bytes = encodeTransaction(transaction);
    if (bytes === undefined)
      throw refuseAnswer(client, `block ${block.number} has a transaction of an unknown type or form`);
    return bytes;
  });
  const { root } = yield* buildListTrieInSteps(encoded);
  assertHolds(
    client,
    isSameBytes(root, block.transactionsRoot),
    `the transactions of block ${block.number} have another root`,
  );
  const hashes = yield* mapInSteps(encoded, (bytes) => toHex(keccak256(bytes)));
  const isClaimed = transactions.every(
    (transaction, at) => isJsonObject(transaction) && transaction.hash === hashes[at],
  );
  assertHolds(client, isClaimed, `a transaction of block ${block.number} has another hash`);
  return hashes.map((hash, at) => ({ hash, fields: transactions[at] as ProvenTransaction }));
}

const toHashes = (transactions: readonly BlockTransaction[]): Hex[] => transactions.map(({ hash }) => hash);

const decodeLog = (client: JsonRpcClient, value: unknown): ReceiptLog => {
  const { address, topics, data } = decodeObject(client, value, 'a log');
  const decoded = [address, data, ...(Array.isArray(topics) ? topics : [undefined])].map(toBytes);
  const [addressBytes, dataBytes, ...topicBytes] = decoded;
  if (decoded.includes(undefined)) throw new InvalidAnswer(client, 'a log');
  return { address: addressBytes!, topics: topicBytes as Uint8Array[], data: dataBytes! };
};

type DecodedReceipt = Omit<ProvenReceipt, 'transaction'>;

function* decodeReceipt(client: JsonRpcClient, answer: unknown, hash: Hex): Steps<DecodedReceipt> {
  if (answer === null) throw refuseAnswer(client, `no receipt of ${hash}`);
  const { transactionHash, type, status, cumulativeGasUsed, logsBloom, logs } = decodeObject(
    client,
    answer,
    'a receipt',
  );
  const isOwn = decodeHash(client, transactionHash, "a receipt's transaction") === hash;
  assertHolds(client, isOwn, `the receipt of another transaction than ${hash}`);
  const bloom = toBytes(logsBloom);
  if (bloom === undefined || !Array.isArray(logs)) throw new InvalidAnswer(client, 'a receipt');
  const receipt: Receipt = {
    type: type == null ? 0 : decodeNumber(client, type, "a receipt's type"),
    isSuccessful: decodeNumber(client, status, "a receipt's status") === 1,
    cumulativeGasUsed: decodeNumber(client, cumulativeGasUsed, "a receipt's gas"),
    bloom,
    logs: yield* mapInSteps(logs, (log: unknown) => decodeLog(client, log)),
  };
  return { transactionHash: hash, receipt, claimedLogs: logs as ProvenReceipt['claimedLogs'] };
}

function* decodeEach(
  client: JsonRpcClient,
  answers: readonly unknown[],
  hashes: readonly Hex[],
): Steps<DecodedReceipt[]> {
  const receipts: DecodedReceipt[] = [];
  for (const [at, answer] of answers.entries()) receipts.push(yield* decodeReceipt(client, answer, hashes[at]!));
  return receipts;
}

function* decodeReceipts(
  client: JsonRpcClient,
  answers: readonly unknown[],
  transactions: readonly BlockTransaction[],
  { number, receiptsRoot }: ProvenBlock,
): Steps<ProvenReceipt[]> {
  const isComplete = answers.length === transactions.length;
  assertHolds(client, isComplete, `block ${number} has ${transactions.length} receipts, not ${answers.length}`);
  const receipts = yield* decodeEach(client, answers, toHashes(transactions));
  const { root } = yield* buildListTrieInSteps(yield* mapInSteps(receipts, ({ receipt }) => encodeReceipt(receipt)));
  assertHolds(client, isSameBytes(root, receiptsRoot), `the receipts of block ${number} have another root`);
  return receipts.map((receipt, at) => ({ ...receipt, transaction: transactions[at]!.fields }));
}

/** Mark of a node that doesn't offer `eth_getBlockReceipts`. */
const WITHOUT_BLOCK_RECEIPTS = 'without eth_getBlockReceipts';

const fetchByBlock = async (client: JsonRpcClient, numbers: readonly number[]): Promise<unknown[] | undefined> => {
  if (client.marks.read(WITHOUT_BLOCK_RECEIPTS) !== undefined) return undefined;
  const toCall = (number: number): NodeCall => ({ method: 'eth_getBlockReceipts', params: [toQuantity(number)] });
  try {
    return await fetchAll(client, numbers.map(toCall));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    // Any other error may be about these blocks, or this moment.
    if (isMethodMissing(error)) client.marks.set(WITHOUT_BLOCK_RECEIPTS, 1);
    return undefined;
  }
};

const fetchByTransaction = async (client: JsonRpcClient, hashes: readonly (readonly Hex[])[]): Promise<unknown[][]> => {
  const calls = hashes.flat().map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }));
  const answers = await fetchAll(client, calls);
  let at = 0;
  return hashes.map(({ length }) => {
    at += length;
    return answers.slice(at - length, at);
  });
};

/** The receipts of a block with these transactions, in order; nothing proves them yet. */
export const fetchReceipts = async (
  client: JsonRpcClient,
  number: number,
  hashes: readonly Hex[],
): Promise<Receipt[]> => {
  const [ofBlock] = (await fetchByBlock(client, [number])) ?? (await fetchByTransaction(client, [hashes]));
  if (!Array.isArray(ofBlock)) throw refuseAnswer(client, `no receipts of block ${number}`);
  if (ofBlock.length !== hashes.length)
    throw refuseAnswer(client, `${ofBlock.length} receipts of ${hashes.length} transactions`);
  const receipts = await runInSlices(decodeEach(client, ofBlock, hashes));
  return receipts.map(({ receipt }) => receipt);
};

const toFullCall = ({ number }: BlockRef): NodeCall => ({
  method: 'eth_getBlockByNumber',
  params: [toQuantity(number), true],
});

/** All transactions of each of these blocks, in order. */
export const fetchProvenTransactions = async (
  client: JsonRpcClient,
  blocks: readonly ProvenBlock[],
): Promise<BlockTransaction[][]> => {
  const transactions: BlockTransaction[][] = [];
  for (const [at, answer] of (await fetchAll(client, blocks.map(toFullCall))).entries())
    transactions.push(await runInSlices(decodeTransactions(client, answer, blocks[at]!)));
  return transactions;
};

/** All receipts of each of these blocks, in order. */
export const fetchProvenReceipts = async (
  client: JsonRpcClient,
  blocks: readonly ProvenBlock[],
): Promise<ProvenReceipt[][]> => {
  const numbers = blocks.map(({ number }) => number);
  const [transactions, byBlock] = await Promise.all([
    fetchProvenTransactions(client, blocks),
    fetchByBlock(client, numbers),
  ]);
  const answers = byBlock ?? (await fetchByTransaction(client, transactions.map(toHashes)));
  const receipts: ProvenReceipt[][] = [];
  for (const [at, block] of blocks.entries()) {
    const ofBlock = answers[at];
    if (!Array.isArray(ofBlock)) throw refuseAnswer(client, `no receipts of block ${block.number}`);
    receipts.push(await runInSlices(decodeReceipts(client, ofBlock, transactions[at]!, block)));
  }
  return receipts;
};
