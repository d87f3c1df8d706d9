// Fetches the logs of a range of blocks in batches, and lets a thread decode them.
import type { BlockRef, ContractLogs, FollowedChain } from '../chain/port.ts';
import type { Hex } from '../ledger/encoding/hex.ts';
import type { DecodedLogs, LogDecoder } from './projection/logDecoder.ts';

/** Where logs are fetched from, and how many at once. */
export interface LogSource {
  readonly chain: FollowedChain;
  readonly contract: Hex;
  /** The domain separator of the digests that a decoder computes; undefined: none. */
  readonly domain: Uint8Array | undefined;
  /** Blocks of one request for logs. */
  readonly pageBlocks: number;
  /** Records and attestations of one batch. Those of one page are never parted, so there can be more. */
  readonly batchRecords: number;
}

/** The logs of consecutive blocks. */
export interface LogBatch {
  readonly logs: ContractLogs;
  readonly toBlock: BlockRef;
  /** The records; undefined: no thread decodes them. */
  readonly decoded: Promise<DecodedLogs> | undefined;
}

// A chain knows the hash of the newest block whose logs it returned without asking again.
const fetchHash = async (chain: FollowedChain, number: number, head: BlockRef): Promise<Hex> => {
  if (number === head.number) return head.hash;
  const hash = await chain.fetchBlockHash(number);
  if (hash === undefined) throw new Error(`the chain has no block ${number} below its head ${head.number}`);
  return hash;
};

// Fetches pages until there are enough logs for a batch or the head is reached.
const fetchBatch = async (
  { chain, contract, pageBlocks, batchRecords }: LogSource,
  fromBlock: number,
  head: BlockRef,
): Promise<{ logs: ContractLogs; toBlock: BlockRef }> => {
  const { records, attestations }: ContractLogs = { records: [], attestations: [] };
  let toBlock = fromBlock - 1;
  while (toBlock < head.number && records.length + attestations.length < batchRecords) {
    const page = { fromBlock: toBlock + 1, toBlock: Math.min(toBlock + pageBlocks, head.number) };
    const found = await chain.fetchContractLogs({ address: contract, ...page });
    for (const log of found.records) records.push(log);
    for (const log of found.attestations) attestations.push(log);
    toBlock = page.toBlock;
  }
  return { logs: { records, attestations }, toBlock: { number: toBlock, hash: await fetchHash(chain, toBlock, head) } };
};

/**
 * The logs of the blocks `firstBlock` to `head`, both included. With a decoder, a batch is returned after the
 * next one was fetched, so that the thread decodes the next one while this one is projected. It has two batches at
 * most.
 */
export async function* fetchLogBatches(
  source: LogSource,
  firstBlock: number,
  head: BlockRef,
  decoder: LogDecoder | undefined,
): AsyncGenerator<LogBatch> {
  let previous: LogBatch | undefined;
  for (let fromBlock = firstBlock; fromBlock <= head.number; ) {
    const { logs, toBlock } = await fetchBatch(source, fromBlock, head);
    const batch = { logs, toBlock, decoded: decoder?.decode(logs.records, source.domain) };
    // It is awaited after the next batch was fetched; until then a rejection must not count as unhandled.
    batch.decoded?.catch(() => undefined);
    if (decoder === undefined) yield batch;
    else if (previous !== undefined) yield previous;
    previous = batch;
    fromBlock = toBlock.number + 1;
  }
  if (decoder !== undefined && previous !== undefined) yield previous;
}
