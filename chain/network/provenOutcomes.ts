// Whether transactions are in final blocks, and succeeded there, proven as the index proves its logs: a receipt that a
// node gives is its word alone, until the block's receipts rebuild the root in its header. The index has proven most
// blocks when somebody asks, so they are read once.
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { TransactionReceipt } from '../jsonRpc/chainQueries.ts';
import type { JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import type { BlockRef } from '../port.ts';
import { createHeaderChain, type ProvenBlock } from './headerChain.ts';
import { fetchProvenReceipts, type ProvenReceipt } from './provenReceipts.ts';

/** The transactions of a block by their hashes, and whether each succeeded. */
type Outcomes = ReadonlyMap<Hex, boolean>;

/** Proven outcomes of the transactions of recent blocks. */
export interface ProvenOutcomes {
  /** Notes the receipts of a block that somebody else has proven. */
  note(block: ProvenBlock, receipts: readonly ProvenReceipt[]): void;
  /**
   * What is proven of a receipt: `true`, its transaction is in its block with its outcome; `false`, it isn't;
   * `replaced`, another block is final in the place of its own. `final` is a block at or after that.
   * @throws FalseAnswer when the answers of `client` contradict the hash of `final`.
   */
  check(client: JsonRpcClient, final: BlockRef, receipt: TransactionReceipt): Promise<ReceiptProof>;
}

/** What is proven of a receipt. */
export type ReceiptProof = 'true' | 'false' | 'replaced';

/** Blocks whose outcomes are kept; a transaction is asked about soon after its block is final. */
const BLOCKS_KEPT = 64;

/** Nothing is proven yet. */
export const createProvenOutcomes = (): ProvenOutcomes => {
  const headers = createHeaderChain();
  const kept = new Map<Hex, Outcomes>();
  const note = ({ hash }: ProvenBlock, receipts: readonly ProvenReceipt[]): Outcomes => {
    const outcomes = new Map(receipts.map(({ transactionHash, receipt }) => [transactionHash, receipt.isSuccessful]));
    kept.set(hash, outcomes);
    if (kept.size > BLOCKS_KEPT) kept.delete(kept.keys().next().value!);
    return outcomes;
  };
  const prove = async (client: JsonRpcClient, final: BlockRef, number: number): Promise<[Hex, Outcomes]> => {
    const [block] = await headers.fetchProven(client, { fromBlock: number, toBlock: number }, final);
    const [receipts] = await fetchProvenReceipts(client, [block!]);
    return [block!.hash, note(block!, receipts!)];
  };
  return {
    note,
    check: async (client, final, { number, hash, transactionHash, hasSucceeded }) => {
      const known = kept.get(hash);
      const [proven, outcomes] = known === undefined ? await prove(client, final, number) : [hash, known];
      if (proven !== hash) return 'replaced';
      return outcomes.get(transactionHash) === hasSucceeded ? 'true' : 'false';
    },
  };
};
