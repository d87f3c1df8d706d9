// A block as evidence files need it: its header, and the trie over all its receipts. What a node answers counts when
// the header has the block's hash, and the receipts have the header's root.
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { type HashRule, readHeaderSeals } from '../../ledger/evidence/blockHash.ts';
import type { BlockHeader } from '../../ledger/evidence/blockHeader.ts';
import { isSameBytes } from '../../ledger/evidence/bytes.ts';
import { buildListTrieInSteps, type ListTrie } from '../../ledger/evidence/listTrie.ts';
import { encodeReceipt, type Receipt } from '../../ledger/evidence/receipt.ts';
import { runInSlices } from '../jsonRpc/answerSlices.ts';
import { decodeObject, refuseAnswer } from '../jsonRpc/decodeAnswer.ts';
import { assertHolds } from '../jsonRpc/falseAnswer.ts';
import type { JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import { decodeHashedHeader, type HashedHeader } from '../network/decodeHeader.ts';
import { fetchReceipts } from '../network/provenReceipts.ts';
import type { BlockRef } from '../port.ts';

/** A block with its receipts. */
export interface EvidenceBlock extends BlockRef {
  /** How the chain hashes and seals its blocks. */
  readonly rule: HashRule;
  readonly header: BlockHeader;
  /** One for each transaction, in order. */
  readonly receipts: readonly Receipt[];
  readonly receiptTrie: ListTrie;
}

/**
 * Fetches a block by number and hash.
 * @throws LedgerError CHAIN_UNAVAILABLE when no node has it.
 */
export type FetchEvidenceBlock = (block: BlockRef) => Promise<EvidenceBlock>;

const toHashes = (client: JsonRpcClient, answer: unknown): Hex[] => {
  const { transactions } = decodeObject(client, answer, 'a block');
  const isList = Array.isArray(transactions) && transactions.every((hash) => typeof hash === 'string');
  if (!isList) throw refuseAnswer(client, "a block's transactions");
  return transactions as Hex[];
};

// Clique hashes its blocks as Ethereum does: only its seals tell the difference.
const toRule = ({ header, rule }: HashedHeader): HashRule =>
  rule === 'ethereum' && readHeaderSeals(header, 'clique') !== undefined ? 'clique' : rule;

/**
 * Fetches a block from one node.
 * @throws FalseAnswer when its header or its receipts are others than those of the hash.
 */
export const fetchEvidenceBlock = async (client: JsonRpcClient, { number, hash }: BlockRef): Promise<EvidenceBlock> => {
  const answer = await client.request('eth_getBlockByNumber', [toQuantity(number), false]);
  if (answer === null) throw refuseAnswer(client, `no block ${number}`);
  const found = decodeHashedHeader(client, answer, number, undefined);
  if (found.hash !== hash) throw refuseAnswer(client, `block ${number} is ${found.hash}, not ${hash}`);
  const receipts = await fetchReceipts(client, number, toHashes(client, answer));
  const receiptTrie = await runInSlices(buildListTrieInSteps(receipts.map(encodeReceipt)));
  const { header } = found;
  const isProven = isSameBytes(receiptTrie.root, header.receiptsRoot);
  assertHolds(client, isProven, `the receipts of block ${number} have the root ${toHex(receiptTrie.root)}`);
  return { number, hash, rule: toRule(found), header, receipts, receiptTrie };
};
