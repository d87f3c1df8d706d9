// Reads the ledger contract's logs from a node. A node without a block answers a query about it with an empty list, as
// if the block had no logs: so the caller proves first that the node has the block.

import type { Hex } from '../../ledger/encoding/hex.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import { fetchBlock, type NodeBlock } from '../jsonRpc/chainQueries.ts';
import { decodeHash, refuseAnswer } from '../jsonRpc/decodeAnswer.ts';
import type { JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import { RpcError } from '../jsonRpc/rpcError.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { RecordLog } from '../port.ts';
import { decodeRecordLog, RECORD_APPENDED_TOPIC, type RpcLog } from '../recordLog.ts';
import { isInBloom } from './logsBloom.ts';

/** Logs of one contract in a range of blocks, both ends included. */
export interface LogQuery {
  readonly address: Hex;
  readonly fromBlock: number;
  readonly toBlock: number;
}

/**
 * Up to this number of blocks, each is queried by hash: a node without that block must answer with an error (EIP-234).
 */
const BLOCKS_BY_HASH_MAX = 4;
const FIELDS = ['data', 'blockNumber', 'blockHash', 'transactionHash', 'transactionIndex', 'logIndex'] as const;

const isRpcLog = (value: unknown): value is RpcLog & { address: string } =>
  isJsonObject(value) &&
  Array.isArray(value.topics) &&
  value.removed !== true &&
  [...value.topics, value.address, ...FIELDS.map((field) => value[field])].every((text) => typeof text === 'string');

const request = async (client: JsonRpcClient, address: Hex, blocks: Record<string, string>): Promise<RpcLog[]> => {
  const answer = await client.request('eth_getLogs', [{ address, topics: [RECORD_APPENDED_TOPIC], ...blocks }]);
  if (!Array.isArray(answer) || !answer.every(isRpcLog)) throw refuseAnswer(client, 'logs');
  if (answer.some((log) => log.address.toLowerCase() !== address))
    throw refuseAnswer(client, 'logs of another contract');
  return answer;
};

const requireHeader = async (client: JsonRpcClient, number: number): Promise<NodeBlock> => {
  const header = await fetchBlock(client, number);
  if (header === undefined) throw refuseAnswer(client, `no block ${number}`);
  return header;
};

const decode = (client: JsonRpcClient, log: RpcLog, header: NodeBlock): RecordLog => {
  let decoded: RecordLog;
  try {
    decoded = decodeRecordLog(log, header.timestampSeconds);
  } catch (cause) {
    throw refuseAnswer(client, 'a log', cause);
  }
  const isOfBlock = decoded.blockNumber === header.number && decoded.blockHash === header.hash;
  if (!isOfBlock) throw refuseAnswer(client, `a log of another block than ${header.number}`);
  return decoded;
};

const assertOrdered = (client: JsonRpcClient, logs: readonly RecordLog[]): void => {
  for (const [at, log] of logs.entries()) {
    const before = logs[at - 1];
    const isAfter =
      before === undefined ||
      log.blockNumber > before.blockNumber ||
      (log.blockNumber === before.blockNumber && log.logIndex > before.logIndex);
    if (!isAfter) throw refuseAnswer(client, 'logs out of order');
  }
};

const hasLogsOf = async (client: JsonRpcClient, address: Hex, transactionHash: Hex): Promise<boolean> => {
  const receipt = await client.request('eth_getTransactionReceipt', [transactionHash]);
  const logs = isJsonObject(receipt) && Array.isArray(receipt.logs) ? receipt.logs.filter(isRpcLog) : [];
  return logs.some((log) => log.address.toLowerCase() === address && log.topics[0] === RECORD_APPENDED_TOPIC);
};

// An answer that lacks logs would leave a permanent gap in the index. The header's bloom filter shows whether there may
// be logs; the receipts then show whether there are.
const assertNone = async (client: JsonRpcClient, address: Hex, header: NodeBlock): Promise<void> => {
  if (![address, RECORD_APPENDED_TOPIC].every((item) => isInBloom(header.logsBloom, item))) return;
  for (const transaction of header.transactions) {
    if (await hasLogsOf(client, address, decodeHash(client, transaction, "a block's transaction")))
      throw refuseAnswer(client, `no logs of block ${header.number}`);
  }
};

const fetchOfBlock = async (client: JsonRpcClient, address: Hex, number: number): Promise<RecordLog[]> => {
  const header = await requireHeader(client, number);
  const logs = await request(client, address, { blockHash: header.hash });
  if (logs.length === 0) await assertNone(client, address, header);
  return logs.map((log) => decode(client, log, header));
};

// Each node limits its answers in its own way: a query that is refused is repeated in halves.
const fetchOfRange = async (client: JsonRpcClient, { address, fromBlock, toBlock }: LogQuery): Promise<RpcLog[]> => {
  try {
    return await request(client, address, { fromBlock: toQuantity(fromBlock), toBlock: toQuantity(toBlock) });
  } catch (error) {
    if (!(error instanceof RpcError) || fromBlock === toBlock) throw error;
    const middle = Math.floor((fromBlock + toBlock) / 2);
    const first = await fetchOfRange(client, { address, fromBlock, toBlock: middle });
    return [...first, ...(await fetchOfRange(client, { address, fromBlock: middle + 1, toBlock }))];
  }
};

const fetchRange = async (client: JsonRpcClient, query: LogQuery): Promise<RecordLog[]> => {
  const logs = await fetchOfRange(client, query);
  const headers = new Map<string, NodeBlock>();
  for (const { blockNumber } of logs) {
    const number = Number(blockNumber);
    if (!(number >= query.fromBlock && number <= query.toBlock)) throw refuseAnswer(client, 'logs of other blocks');
    if (!headers.has(blockNumber)) headers.set(blockNumber, await requireHeader(client, number));
  }
  return logs.map((log) => decode(client, log, headers.get(log.blockNumber)!));
};

/**
 * `RecordAppended` logs of the blocks `fromBlock` to `toBlock`, both included, in chain order, all from one node, which
 * must have these blocks (`NodeSet.useFinal`).
 */
export const fetchNodeLogs = async (client: JsonRpcClient, query: LogQuery): Promise<RecordLog[]> => {
  const logs: RecordLog[] = [];
  if (query.toBlock - query.fromBlock < BLOCKS_BY_HASH_MAX) {
    for (let number = query.fromBlock; number <= query.toBlock; number += 1) {
      logs.push(...(await fetchOfBlock(client, query.address, number)));
    }
  } else {
    logs.push(...(await fetchRange(client, query)));
  }
  assertOrdered(client, logs);
  return logs;
};
