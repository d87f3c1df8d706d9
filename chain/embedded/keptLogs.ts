// The logs of the newest blocks, kept when the blocks were mined: after a kill the index gets the blocks that it lacks
// from them, while the chain is replayed. After the replay they are compared with the logs of the chain at every start
// that has any, because an earlier start that was killed may have indexed them.
import type { Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { createContractLogs } from '../contractLogs.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { ContractLogs } from '../port.ts';
import type { Edr } from './edr.ts';
import { decodeBlockLogs, encodeBlockLogs, type KeptLogs, weightOf } from './journal/blockLogs.ts';
import { pickContractLogs, type TimedRpcLog } from './readEmbeddedLogs.ts';

/** Reads logs that were kept. */
export interface KeptLogsReader {
  /**
   * Logs of records and attestations of the blocks `fromBlock` to `toBlock`, both included; undefined when those of one
   * block weren't kept.
   */
  read(query: { address: Hex; fromBlock: number; toBlock: number }): ContractLogs | undefined;
  /**
   * Compares all kept logs with those of the replayed chain.
   * @throws LedgerError CHAIN_CORRUPT, naming the first block whose logs differ.
   */
  assertSame(edr: Edr): Promise<void>;
}

const refuseLogs = (number: number): LedgerError =>
  new LedgerError('CHAIN_CORRUPT', {
    message:
      `The logs of block ${number} in recent-blocks differ from those of the chain, and the index may have been built ` +
      'from them. Stop the server, delete the directory recent-blocks, and run: npm run rebuild',
  });

/** A reader of the logs of consecutive blocks. */
export const createKeptLogs = (kept: readonly KeptLogs[]): KeptLogsReader => {
  const ofBlock = new Map(kept.map((logs) => [logs.block.number, logs]));
  return {
    read: ({ address, fromBlock, toBlock }) => {
      const found = createContractLogs();
      for (let number = fromBlock; number <= toBlock; number += 1) {
        const logs = ofBlock.get(number);
        if (logs === undefined) return undefined;
        pickContractLogs(found, decodeBlockLogs(logs), address, () => weightOf(logs));
      }
      return found;
    },
    assertSame: async (edr) => {
      for (const { block, bytes } of ofBlock.values()) {
        const at = toQuantity(block.number);
        const filter = { fromBlock: at, toBlock: at };
        const logs = (await edr.request('eth_getLogs', [filter])) as TimedRpcLog[];
        if (Buffer.compare(encodeBlockLogs(block.hash, logs), bytes) !== 0) throw refuseLogs(block.number);
      }
      ofBlock.clear();
    },
  };
};
