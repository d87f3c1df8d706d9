// A chain port over blocks that the test creates: the part of a chain that the indexer reads, with faults on demand.
import type { BlockRef, FollowedChain, RecordLog } from '../../chain/port.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toRecordLog, type WrittenRecord } from './recordLogs.ts';

export const CONTRACT: Hex = `0x${'c0'.repeat(20)}`;

export interface FakeChain extends FollowedChain {
  /** Appends a block of these records and returns its number. */
  mine(...written: WrittenRecord[]): number;
  readonly logs: readonly RecordLog[];
  /** Block ranges whose logs were fetched. */
  readonly fetched: [number, number][];
  /** Number of reads of the head. */
  readonly headFetches: () => number;
  /** Number of following fetches of logs that reject. */
  failingFetches: number;
  /** Runs before logs are fetched; may wait. */
  beforeFetch: () => Promise<void>;
}

/** A chain of one empty block. Chains with different names have different block hashes. */
export const createFakeChain = (name = 'chain'): FakeChain => {
  const hashOf = (number: number): Hex => toHex(keccak256(Buffer.from(`${name} ${number}`)));
  const logs: RecordLog[] = [];
  const fetched: [number, number][] = [];
  let head = 0;
  let headFetches = 0;
  const chain: FakeChain = {
    logs,
    fetched,
    headFetches: () => headFetches,
    failingFetches: 0,
    beforeFetch: async () => undefined,
    mine: (...written) => {
      head += 1;
      for (const [logIndex, each] of written.entries()) {
        logs.push({ ...toRecordLog(each, head, logIndex), blockHash: hashOf(head) });
      }
      return head;
    },
    fetchFinalHead: async (): Promise<BlockRef> => {
      headFetches += 1;
      return { number: head, hash: hashOf(head) };
    },
    fetchBlockHash: async (number) => (number > head ? undefined : hashOf(number)),
    fetchContractLogs: async ({ address, fromBlock, toBlock }) => {
      await chain.beforeFetch();
      if (chain.failingFetches > 0) {
        chain.failingFetches -= 1;
        throw new LedgerError('CHAIN_UNAVAILABLE');
      }
      fetched.push([fromBlock, toBlock]);
      const isAsked = ({ blockNumber }: { readonly blockNumber: number }): boolean =>
        address === CONTRACT && blockNumber >= fromBlock && blockNumber <= toBlock;
      return { records: logs.filter(isAsked), attestations: [] };
    },
  };
  return chain;
};
