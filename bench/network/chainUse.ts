// What the server's transactions take of the blocks: records in each transaction, transactions in each block.
import type { JsonRpcClient } from '../../chain/jsonRpc/jsonRpcClient.ts';
import { toQuantity } from '../../chain/jsonRpc/toQuantity.ts';
import { RECORD_APPENDED_TOPIC } from '../../chain/recordLog.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';

/** The blocks after `from`, to `to`. */
export interface BlocksAfter {
  readonly from: number;
  readonly to: number;
}

/** What a contract's logs of some blocks count. */
export interface ChainUse {
  readonly records: number;
  readonly transactions: number;
  /** Blocks with records. */
  readonly blocks: number;
}

interface RecordLog {
  readonly transactionHash: string;
  readonly blockNumber: string;
}

/** The number of the newest block. */
export const fetchBlockNumber = async (client: JsonRpcClient): Promise<number> =>
  Number(await client.request('eth_blockNumber', []));

const countLogs = (logs: readonly RecordLog[]): ChainUse => ({
  records: logs.length,
  transactions: new Set(logs.map(({ transactionHash }) => transactionHash)).size,
  blocks: new Set(logs.map(({ blockNumber }) => blockNumber)).size,
});

const add = (a: ChainUse, b: ChainUse): ChainUse => ({
  records: a.records + b.records,
  transactions: a.transactions + b.transactions,
  blocks: a.blocks + b.blocks,
});

/** Counts the records of a contract in some blocks, one block after the other: a block may have megabytes of logs. */
export const fetchChainUse = async (
  client: JsonRpcClient,
  contract: Hex,
  { from, to }: BlocksAfter,
): Promise<ChainUse> => {
  let use: ChainUse = { records: 0, transactions: 0, blocks: 0 };
  for (let number = from + 1; number <= to; number += 1) {
    const block = toQuantity(number);
    const filter = { address: contract, topics: [RECORD_APPENDED_TOPIC], fromBlock: block, toBlock: block };
    use = add(use, countLogs((await client.request('eth_getLogs', [filter])) as RecordLog[]));
  }
  return use;
};
