// Reads the ledger contract's logs from EDR, in runs of blocks that are short enough to keep the event loop free.
import type { Hex } from '../../ledger/encoding/hex.ts';
import { addContractLog, createContractLogs, hasContractTopic, weighLogs } from '../contractLogs.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { ContractLogs } from '../port.ts';
import type { RpcLog } from '../recordLog.ts';
import type { Edr } from './edr.ts';

/** A log as EDR returns it: with its address and the time of its block. */
export interface TimedRpcLog extends RpcLog {
  readonly address: string;
  readonly blockTimestamp: string;
}

const BLOCKS_PER_REQUEST = 16;

/** Returns the bytes of all logs of the transaction that emitted a log. */
export type WeighTransaction = (log: TimedRpcLog) => number;

const createWeigh = (logs: readonly TimedRpcLog[]): WeighTransaction => {
  const known = new Map<string, number>();
  return ({ transactionHash }) => {
    const weight =
      known.get(transactionHash) ?? weighLogs(logs.filter((other) => other.transactionHash === transactionHash));
    known.set(transactionHash, weight);
    return weight;
  };
};

/**
 * Decodes the contract's logs of records and attestations among `logs`, and adds them to `picked`. Without `weigh`,
 * `logs` are all logs of their transactions.
 */
export const pickContractLogs = (
  picked: ContractLogs,
  logs: readonly TimedRpcLog[],
  address: Hex,
  weigh = createWeigh(logs),
): ContractLogs => {
  for (const log of logs)
    if (log.address === address && hasContractTopic(log))
      addContractLog(picked, log, Number(log.blockTimestamp), () => weigh(log));
  return picked;
};

/** Logs of records and attestations of the blocks `fromBlock` to `toBlock`, both included, in chain order. */
export const readEmbeddedLogs = async (
  edr: Edr,
  query: { address: Hex; fromBlock: number; toBlock: number },
): Promise<ContractLogs> => {
  const logs = createContractLogs();
  for (let from = query.fromBlock; from <= query.toBlock; from += BLOCKS_PER_REQUEST) {
    const to = Math.min(from + BLOCKS_PER_REQUEST - 1, query.toBlock);
    // Those of other contracts count in the receipts, too.
    const filter = { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
    const found = (await edr.request('eth_getLogs', [filter])) as TimedRpcLog[];
    pickContractLogs(logs, found, query.address);
  }
  return logs;
};
