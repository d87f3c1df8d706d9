// The blocks of an evidence file, with what others said of them (docs/evidence-format.md).
import type { HashRule } from '../blockHash.ts';
import { type BlockHeader, decodeBlockHeader } from '../blockHeader.ts';
import { decodeCheckpoint } from '../checkpoint.ts';
import { decodeSignedNote } from '../signedNote.ts';
import { decodeTlogProof, type TlogProof } from '../tlogProof.ts';
import { assertReadable } from '../unreadableEvidence.ts';
import { readBase64, readHex, readInteger, readList, readObject, readString } from './jsonParts.ts';

const ADDRESS_BYTES = 20;
const NODES_MAX = 64;
const ANCHORS_MAX = 8;
const ELSEWHERE_MAX = 2;
const STAMPS_MAX = 4;
const STAMP_BYTES_MAX = 64 * 1024;
const RULES: readonly HashRule[] = ['ethereum', 'clique', 'qbft', 'ibft2'];

/** Which ledger. */
export interface LedgerName {
  readonly chainId: number;
  /** 20 bytes. */
  readonly contract: Uint8Array;
}

/** A checkpoint of a log with the block, and what others said of the checkpoint. */
export interface Anchor extends TlogProof {
  /** RFC 3161 tokens over the text of the checkpoint's note. */
  readonly tokens: readonly Uint8Array[];
  /** Records of the checkpoint on other ledgers. */
  readonly elsewhere: readonly Elsewhere[];
}

/** A record on another ledger, in a log of that ledger's contract. */
export interface Elsewhere {
  readonly ledger: LedgerName;
  readonly block: BundleBlock;
  readonly proof: LogProof;
}

/** A block, and what others said of it. */
export interface BundleBlock {
  readonly rule: HashRule;
  readonly header: BlockHeader;
  readonly anchors: readonly Anchor[];
}

/** A log of the contract, in a receipt of a block. */
export interface LogProof {
  readonly kind: 'log';
  /** Index of the block in the file. */
  readonly block: number;
  /** Index of the transaction in the block. */
  readonly transaction: number;
  readonly nodes: readonly Uint8Array[];
  /** Index of the log in the receipt. */
  readonly log: number;
}

/** The name of a ledger. @throws UnreadableEvidence for another form. */
export const readLedgerName = (value: unknown, where: string): LedgerName => {
  const { chain_id, contract } = readObject(value, where, ['chain_id', 'contract']);
  return {
    chainId: readInteger(chain_id, `${where}.chain_id`, 1),
    contract: readHex(contract, `${where}.contract`, ADDRESS_BYTES),
  };
};

/** Nodes of a trie. @throws UnreadableEvidence for another form. */
export const readNodes = (value: unknown, where: string): Uint8Array[] =>
  readList(value, where, NODES_MAX).map((node) => readBase64(node, where));

/** The proof of a log. @throws UnreadableEvidence for another form. */
export const readLogProof = (value: unknown, where: string): LogProof => {
  const names = ['kind', 'block', 'transaction', 'nodes', 'log'];
  const { block, transaction, nodes, log } = readObject(value, where, names);
  return {
    kind: 'log',
    block: readInteger(block, `${where}.block`),
    transaction: readInteger(transaction, `${where}.transaction`),
    nodes: readNodes(nodes, `${where}.nodes`),
    log: readInteger(log, `${where}.log`),
  };
};

const readTlogProof = (text: string): TlogProof => {
  const proof = decodeTlogProof(text);
  decodeCheckpoint(decodeSignedNote(proof.checkpoint).text);
  return proof;
};

// Before a long text is decoded.
const readStamp = (value: unknown, where: string): Uint8Array => {
  const isShort = readString(value, where).length <= 4 * Math.ceil(STAMP_BYTES_MAX / 3);
  const stamp = isShort ? readBase64(value, where) : undefined;
  assertReadable(stamp !== undefined && stamp.length <= STAMP_BYTES_MAX, `${where} has one that is too long`);
  return stamp;
};

const readStamps = (value: unknown, where: string): Uint8Array[] =>
  value === undefined ? [] : readList(value, where, STAMPS_MAX).map((one) => readStamp(one, where));

/** A record on another ledger. @throws UnreadableEvidence for another form. */
export const readElsewhere = (value: unknown, where: string): Elsewhere => {
  const { ledger, block, proof } = readObject(value, where, ['ledger', 'block', 'proof']);
  assertReadable((proof as { kind?: unknown } | null)?.kind === 'log', `${where}.proof.kind is unknown`);
  const log = readLogProof(proof, `${where}.proof`);
  assertReadable(log.block === 0, `${where} has one block`);
  return {
    ledger: readLedgerName(ledger, `${where}.ledger`),
    block: readBlock(block, `${where}.block`, false),
    proof: log,
  };
};

// A record elsewhere is in a block with anchors of its own, which have none elsewhere.
const readAnchor = (value: unknown, where: string, hasElsewhere: boolean): Anchor => {
  const optional = ['rfc3161', 'ots', ...(hasElsewhere ? ['elsewhere'] : [])];
  const { kind, proof, rfc3161, ots, elsewhere } = readObject(value, where, ['kind', 'proof'], optional);
  assertReadable(kind === 'tlog-proof', `${where} has one of an unknown kind`);
  // Files of OpenTimestamps are for its own tools.
  readStamps(ots, `${where}.ots`);
  const records = elsewhere === undefined ? [] : readList(elsewhere, `${where}.elsewhere`, ELSEWHERE_MAX);
  return {
    ...readTlogProof(readString(proof, where)),
    tokens: readStamps(rfc3161, `${where}.rfc3161`),
    elsewhere: records.map((record) => readElsewhere(record, `${where}.elsewhere`)),
  };
};

/**
 * A block of a file. `hasElsewhere`: whether its anchors may have records on other ledgers.
 * @throws UnreadableEvidence for another form.
 */
export const readBlock = (value: unknown, where: string, hasElsewhere = true): BundleBlock => {
  const { rule, header, anchors } = readObject(value, where, ['rule', 'header', 'anchors']);
  assertReadable((RULES as readonly unknown[]).includes(rule), `${where}.rule is unknown`);
  return {
    rule: rule as HashRule,
    header: decodeBlockHeader(readBase64(header, `${where}.header`)),
    anchors: readList(anchors, `${where}.anchors`, ANCHORS_MAX).map((anchor) =>
      readAnchor(anchor, `${where}.anchors`, hasElsewhere),
    ),
  };
};
