// Refuses records whose author is an account of this server and has not signed them.
import type { Steps } from '../../../ledger/compliance/steps.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { runInSlices } from '../../jsonRpc/answerSlices.ts';
import type { JsonRpcClient } from '../../jsonRpc/jsonRpcClient.ts';
import type { BlockRef, RecordLog } from '../../port.ts';
import type { ProvenReceipt } from '../provenReceipts.ts';
import { type AuthorCheck, readProvenDigests } from './provenRecords.ts';
import type { SignatureSearch } from './signatureSearch.ts';

/** The records of blocks, and the receipts of each of these blocks. */
export interface ReadBlocks {
  readonly records: readonly RecordLog[];
  readonly receiptsOf: ReadonlyMap<Hex, readonly ProvenReceipt[]>;
}

// The records that their own transactions don't prove. Each step checks one signature.
function* findUnproven(check: AuthorCheck, { records, receiptsOf }: ReadBlocks): Steps<RecordLog[]> {
  const own = records.filter(({ author }) => check.accounts.has(author));
  const unproven: RecordLog[] = [];
  for (const ofTransaction of Map.groupBy(own, ({ transactionHash }) => transactionHash).values()) {
    const { blockHash, transactionIndex } = ofTransaction[0]!;
    const { transaction } = receiptsOf.get(blockHash)![transactionIndex]!;
    const digests = new Set(yield* readProvenDigests(check, transaction));
    unproven.push(...ofTransaction.filter(({ digest }) => !digests.has(digest)));
    yield;
  }
  return unproven;
}

/**
 * Asserts that each record of the accounts that are checked is theirs: by the transaction that appended it, or else by
 * a later one.
 * @throws UnprovenAuthor for the first one that isn't.
 */
export const assertAuthors = async (
  client: JsonRpcClient,
  blocks: ReadBlocks,
  { search, ...check }: AuthorCheck & { readonly search: SignatureSearch },
  final: BlockRef,
): Promise<void> => {
  const unproven = await runInSlices(findUnproven(check, blocks));
  for (const ofBlock of Map.groupBy(unproven, ({ blockHash }) => blockHash).values())
    await search.assertSigned(client, check, ofBlock, final);
};
