import type { ChainPort, RecordLog } from '../../chain/port.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';

/** Records of some blocks, and the number of the last of these. */
export interface LogPage {
  readonly logs: readonly RecordLog[];
  readonly toBlock: number;
}

const PAGE_BLOCKS = 256;

/** All records of a contract up to a block, in the order of the chain. */
export async function* readLogPages(
  { fetchRecordLogs }: Pick<ChainPort, 'fetchRecordLogs'>,
  address: Hex,
  newestBlock: number,
): AsyncGenerator<LogPage> {
  for (let fromBlock = 0; fromBlock <= newestBlock; fromBlock += PAGE_BLOCKS) {
    const toBlock = Math.min(fromBlock + PAGE_BLOCKS - 1, newestBlock);
    yield { logs: await fetchRecordLogs({ address, fromBlock, toBlock }), toBlock };
  }
}
