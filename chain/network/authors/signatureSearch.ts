// Looks for the author's signature of a record in the transactions that follow. Others can append a signed batch that
// they see before it is mined, through a contract of their own and in a form that only that contract reads: the record
// is the author's, and its transaction doesn't show it. The author's server has sent the batch as well, and that
// transaction is mined, too: it appends nothing any more, and has the signature.
import type { Steps } from '../../../ledger/compliance/steps.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { runInSlices } from '../../jsonRpc/answerSlices.ts';
import type { JsonRpcClient } from '../../jsonRpc/jsonRpcClient.ts';
import type { BlockRef, RecordLog } from '../../port.ts';
import { UnprovenAuthor } from '../../unprovenAuthor.ts';
import { createHeaderChain } from '../headerChain.ts';
import { type BlockTransaction, fetchProvenTransactions } from '../provenReceipts.ts';
import { type AuthorCheck, readProvenDigests } from './provenRecords.ts';

/** Finds signatures that a record's own transaction lacks. */
export interface SignatureSearch {
  /**
   * Searches from the block of these records, which all are of one block, to `final`.
   * @throws UnprovenAuthor when a record's author has signed it nowhere there.
   */
  assertSigned(
    client: JsonRpcClient,
    check: AuthorCheck,
    records: readonly RecordLog[],
    final: BlockRef,
  ): Promise<void>;
}

/** Blocks of one read. */
const READ_BLOCKS = 16;

interface Search {
  readonly blockHash: Hex;
  /** Digests of the records whose signatures aren't found. */
  readonly missing: Set<Hex>;
  /** The block to continue with: what was searched isn't read again. */
  next: number;
}

// Removes what the transactions prove from what is missing. Each step checks one signature.
function* removeSigned(check: AuthorCheck, missing: Set<Hex>, transactions: readonly BlockTransaction[]): Steps<void> {
  for (const { fields } of transactions) {
    for (const digest of yield* readProvenDigests(check, fields)) missing.delete(digest);
    yield;
  }
}

/** Creates a search. It remembers how far it went for the newest block that was asked about. */
export const createSignatureSearch = (): SignatureSearch => {
  const headers = createHeaderChain();
  let search: Search | undefined;

  const readNext = async (client: JsonRpcClient, check: AuthorCheck, of: Search, final: BlockRef): Promise<void> => {
    const toBlock = Math.min(of.next + READ_BLOCKS - 1, final.number);
    const blocks = await headers.fetchProven(client, { fromBlock: of.next, toBlock }, final);
    const transactions = (await fetchProvenTransactions(client, blocks)).flat();
    await runInSlices(removeSigned(check, of.missing, transactions));
    of.next = toBlock + 1;
  };

  return {
    assertSigned: async (client, check, records, final) => {
      const { blockHash, blockNumber } = records[0]!;
      if (search?.blockHash !== blockHash)
        search = { blockHash, missing: new Set(records.map(({ digest }) => digest)), next: blockNumber };
      const current = search;
      while (current.missing.size > 0 && current.next <= final.number) await readNext(client, check, current, final);
      const unproven = records.find(({ digest }) => current.missing.has(digest));
      if (unproven !== undefined) throw new UnprovenAuthor(unproven, final);
    },
  };
};
