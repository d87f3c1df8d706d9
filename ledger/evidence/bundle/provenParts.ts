// The blocks and logs of an evidence file, checked: each header's hash by the rule of its engine, each log by its
// receipt under the block's receiptsRoot.
import { toBlockHash } from '../blockHash.ts';
import { toListKey } from '../listTrie.ts';
import { decodeReceipt, findContractLog } from '../receipt.ts';
import { fromRlpNumber } from '../rlp.ts';
import { findProvenValue } from '../trieProof.ts';
import { assertReadable } from '../unreadableEvidence.ts';
import type { Bundle, BundleBlock, LogProof } from './bundle.ts';
import { assertProved } from './findings.ts';
import { decodeLedgerLog, type LedgerLog } from './ledgerLogs.ts';

/** A block with its hash. */
export interface HashedBlock extends BundleBlock {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  readonly number: number;
  readonly timeSeconds: number;
}

/** A log that a receipt of a block has. */
export interface ProvenLog {
  readonly log: LedgerLog;
  readonly block: HashedBlock;
  /** Index of its transaction in the block. */
  readonly transaction: number;
}

const hashBlock = (block: BundleBlock, at: number): HashedBlock => {
  const { header, rule } = block;
  const hash = toBlockHash(header, rule);
  assertReadable(hash !== undefined, `block ${at} of the file is none of the rule ${rule}`);
  return { ...block, hash, number: fromRlpNumber(header.number), timeSeconds: fromRlpNumber(header.timestamp) };
};

/** @throws UnreadableEvidence when a header isn't one of its rule. */
export const hashBlocks = ({ blocks }: Bundle): HashedBlock[] => blocks.map(hashBlock);

const proveLog = (
  { block: at, transaction, nodes, log: index }: LogProof,
  blocks: readonly HashedBlock[],
  contract: Uint8Array,
): ProvenLog => {
  const block = blocks[at];
  assertReadable(block !== undefined, `the file has no block ${at}`);
  const receipt = findProvenValue(block.header.receiptsRoot, toListKey(transaction), nodes);
  assertProved(receipt !== undefined, 'chain', `block ${block.number} has no such receipt ${transaction}`);
  const found = findContractLog(decodeReceipt(receipt), index, contract);
  assertProved(found !== undefined, 'chain', `receipt ${transaction} has no log ${index} of the contract`);
  const log = decodeLedgerLog(found);
  assertProved(log !== undefined, 'chain', `log ${index} of receipt ${transaction} is none that proves something`);
  return { log, block, transaction };
};

/**
 * The proven log of each proof of one; undefined for the others.
 * @throws Refuted when a receipt or log isn't there, UnreadableEvidence for a block that isn't in the file.
 */
export const proveLogs = ({ proofs, ledger }: Bundle, blocks: readonly HashedBlock[]): (ProvenLog | undefined)[] =>
  proofs.map((proof) => (proof.kind === 'log' ? proveLog(proof, blocks, ledger.contract) : undefined));
