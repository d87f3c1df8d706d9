// Fetches the logs of a range of blocks in batches, and lets a thread decode them.
import type { BlockRef, ContractLogs, FollowedChain, RecordLog } from '../chain/port.ts';
import { UnprovenAuthor } from '../chain/unprovenAuthor.ts';
import { type Hex, toHex } from '../ledger/encoding/hex.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { DecodedLogs, LogDecoder } from './projection/logDecoder.ts';
import { hasRecordsOf, type IndexedTenants, type UnservedTenants } from './servedTenants.ts';

/** Where logs are fetched from, and how many at once. */
export interface LogSource {
  readonly chain: FollowedChain;
  readonly contract: Hex;
  /** Accounts whose records must be proven to be theirs; undefined: nobody's. */
  readonly readAuthors?: (() => ReadonlySet<Hex>) | undefined;
  /** The domain separator of the digests that a decoder computes; undefined: none. */
  readonly domain: Uint8Array | undefined;
  /** The tenants whose logs are in the batches. Those of all others were fetched and proven, too. */
  readonly tenants: IndexedTenants;
  /** Blocks of one request for logs. */
  readonly pageBlocks: number;
  /** Records and attestations of one batch. Those of one page are never parted, so there can be more. */
  readonly batchRecords: number;
}

/** The logs of consecutive blocks. */
export interface LogBatch {
  readonly logs: ContractLogs;
  readonly toBlock: BlockRef;
  /** The tenants that the index doesn't have and that have records in these blocks. */
  readonly unserved: UnservedTenants;
  /** The records; undefined: no thread decodes them. */
  readonly decoded: Promise<DecodedLogs> | undefined;
}

// A chain knows the hash of the newest block whose logs it returned without asking again.
const fetchHash = async (chain: FollowedChain, number: number, head: BlockRef): Promise<Hex> => {
  if (number === head.number) return head.hash;
  const hash = await chain.fetchBlockHash(number);
  if (hash !== undefined) return hash;
  const message = `the chain has no block ${number} below its head ${head.number}`;
  throw new LedgerError('CHAIN_UNAVAILABLE', { message });
};

type FetchedBatch = Omit<LogBatch, 'decoded'>;

// The logs of a page, and where it ends: before the block of a record that its author hasn't signed, if the page has
// others before that.
const fetchPage = async (
  { chain, contract, readAuthors }: LogSource,
  page: { readonly fromBlock: number; readonly toBlock: number },
): Promise<{ readonly found: ContractLogs; readonly toBlock: number }> => {
  const fetch = async (toBlock: number) => {
    const query = { address: contract, fromBlock: page.fromBlock, toBlock, provenAuthors: readAuthors?.() };
    return { found: await chain.fetchContractLogs(query), toBlock };
  };
  try {
    return await fetch(page.toBlock);
  } catch (cause) {
    if (!(cause instanceof UnprovenAuthor) || cause.blockNumber <= page.fromBlock) throw cause;
    return fetch(cause.blockNumber - 1);
  }
};

const noteUnserved = (unserved: Map<Hex, number>, { tenantKey, blockNumber }: RecordLog): void => {
  if (!unserved.has(tenantKey)) unserved.set(tenantKey, blockNumber);
};

// Fetches pages until there are enough logs for a batch or the head is reached. Logs of other tenants
// count, too, so that the cursor moves while there are only such.
const fetchBatch = async (source: LogSource, fromBlock: number, head: BlockRef): Promise<FetchedBatch> => {
  const { chain, pageBlocks, batchRecords, tenants } = source;
  const { records, attestations }: ContractLogs = { records: [], attestations: [] };
  const unserved = new Map<Hex, number>();
  let [toBlock, fetched] = [fromBlock - 1, 0];
  while (toBlock < head.number && fetched < batchRecords) {
    const page = { fromBlock: toBlock + 1, toBlock: Math.min(toBlock + pageBlocks, head.number) };
    const { found, toBlock: pageEnd } = await fetchPage(source, page);
    for (const log of found.records) {
      if (hasRecordsOf(tenants, log.tenantKey)) records.push(log);
      else noteUnserved(unserved, log);
    }
    for (const log of found.attestations) if (hasRecordsOf(tenants, toHex(log.tenantKey))) attestations.push(log);
    toBlock = pageEnd;
    fetched += found.records.length + found.attestations.length;
    if (pageEnd < page.toBlock) break;
  }
  const hash = await fetchHash(chain, toBlock, head);
  return { logs: { records, attestations }, unserved, toBlock: { number: toBlock, hash } };
};

/**
 * The logs of the blocks `firstBlock` to `head`, both included. With a decoder, a batch is returned after the
 * next one was fetched, so that the thread decodes the next one while this one is projected. It has two batches at
 * most. Throws the error of a fetch after the batches before it.
 */
export async function* fetchLogBatches(
  source: LogSource,
  firstBlock: number,
  head: BlockRef,
  decoder: LogDecoder | undefined,
): AsyncGenerator<LogBatch> {
  let previous: LogBatch | undefined;
  for (let fromBlock = firstBlock; fromBlock <= head.number; ) {
    const next = await fetchBatch(source, fromBlock, head).catch((cause: unknown) => ({ cause }));
    if ('cause' in next) {
      if (decoder !== undefined && previous !== undefined) yield previous;
      throw next.cause;
    }
    const fetched: FetchedBatch = next;
    const batch = { ...fetched, decoded: decoder?.decode(fetched.logs.records, source.domain) };
    // It is awaited after the next batch was fetched; until then a rejection must not count as unhandled.
    batch.decoded?.catch(() => undefined);
    if (decoder === undefined) yield batch;
    else if (previous !== undefined) yield previous;
    previous = batch;
    fromBlock = fetched.toBlock.number + 1;
  }
  if (decoder !== undefined && previous !== undefined) yield previous;
}
