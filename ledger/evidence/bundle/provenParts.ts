// The blocks and logs of an evidence file, checked: each header's hash by the rule of its engine, each log by its
// receipt under the block's receiptsRoot.
import { toBlockHash } from '../blockHash.ts';
import { isSameBytes } from '../bytes.ts';
import { toListKey } from '../listTrie.ts';
import { decodeReceipt, findContractLog } from '../receipt.ts';
import { fromRlpNumber } from '../rlp.ts';
import { findProvenValue } from '../trieProof.ts';
import { assertReadable } from '../unreadableEvidence.ts';
import type { Anchor, BundleBlock, Elsewhere, LogProof } from './blocks.ts';
import type { Bundle } from './bundle.ts';
import { assertProved } from './findings.ts';
import { decodeLedgerLog, type LedgerLog } from './ledgerLogs.ts';

/** A record on another ledger, whose block has its hash. */
export interface HashedElsewhere extends Elsewhere {
  readonly block: HashedBlock;
}

/** An anchor, with the hashes of blocks of other ledgers. */
export interface HashedAnchor extends Anchor {
  readonly elsewhere: readonly HashedElsewhere[];
}

/** A block with its hash. */
export interface HashedBlock extends BundleBlock {
  readonly anchors: readonly HashedAnchor[];
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

/** @throws UnreadableEvidence when the header of the record's block isn't one of its rule. */
export const hashElsewhere = (record: Elsewhere, where: string): HashedElsewhere => ({
  ...record,
  block: hashBlock(record.block, where),
});

const hashAnchor = (anchor: Anchor, where: string): HashedAnchor => ({
  ...anchor,
  elsewhere: anchor.elsewhere.map((record) => hashElsewhere(record, `${where} elsewhere`)),
});

const hashBlock = (block: BundleBlock, where: string): HashedBlock => {
  const { header, rule } = block;
  const hash = toBlockHash(header, rule);
  assertReadable(hash !== undefined, `${where} is none of the rule ${rule}`);
  const anchors = block.anchors.map((anchor) => hashAnchor(anchor, where));
  const [number, timeSeconds] = [fromRlpNumber(header.number), fromRlpNumber(header.timestamp)];
  return { ...block, anchors, hash, number, timeSeconds };
};

/** @throws UnreadableEvidence when a header isn't one of its rule. */
export const hashBlocks = ({ blocks }: Bundle): HashedBlock[] =>
  blocks.map((block, at) => hashBlock(block, `block ${at} of the file`));

/** @throws Refuted for two blocks that no chain has both: of the same number, or the later one of an earlier time. */
export const assertOneChain = (blocks: readonly HashedBlock[]): void => {
  const ordered = blocks.toSorted((one, other) => one.number - other.number);
  for (const [at, block] of ordered.entries()) {
    const before = ordered[at - 1] ?? block;
    const isSame = before.number === block.number;
    const fits = isSame ? isSameBytes(before.hash, block.hash) : before.timeSeconds <= block.timeSeconds;
    assertProved(fits, 'chain', `no chain has both block ${before.number} and block ${block.number} of the file`);
  }
};

/**
 * The log of a proof.
 * @throws Refuted when the receipt or log isn't there, UnreadableEvidence for a block that isn't in the file.
 */
export const proveLog = (
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
