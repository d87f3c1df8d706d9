// Reads the ledger contract's logs from EDR, in runs of blocks that are short enough to keep the event loop free.

import type { Hex } from '../../ledger/encoding/hex.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { RecordLog } from '../port.ts';
import { decodeRecordLog, RECORD_APPENDED_TOPIC, type RpcLog } from '../recordLog.ts';
import type { Edr } from './edr.ts';

/** A log as EDR returns it: with its address and the time of its block. */
export interface TimedRpcLog extends RpcLog {
  readonly address: string;
  readonly blockTimestamp: string;
}

const BLOCKS_PER_REQUEST = 16;

const decode = (log: TimedRpcLog): RecordLog => decodeRecordLog(log, Number(log.blockTimestamp));

/** The `RecordAppended` logs of the contract at `address` among `logs`. */
export const pickRecordLogs = (logs: readonly TimedRpcLog[], address: Hex): RecordLog[] =>
  logs.filter((log) => log.address === address && log.topics[0] === RECORD_APPENDED_TOPIC).map(decode);

/** `RecordAppended` logs of the blocks `fromBlock` to `toBlock`, both included, in chain order. */
export const readEmbeddedLogs = async (
  edr: Edr,
  query: { address: Hex; fromBlock: number; toBlock: number },
): Promise<RecordLog[]> => {
  const logs: RecordLog[] = [];
  for (let from = query.fromBlock; from <= query.toBlock; from += BLOCKS_PER_REQUEST) {
    const to = Math.min(from + BLOCKS_PER_REQUEST - 1, query.toBlock);
    const filter = {
      address: query.address,
      topics: [RECORD_APPENDED_TOPIC],
      fromBlock: toQuantity(from),
      toBlock: toQuantity(to),
    };
    const found = (await edr.request('eth_getLogs', [filter])) as TimedRpcLog[];
    for (const log of found) logs.push(decode(log));
  }
  return logs;
};
