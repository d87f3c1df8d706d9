// The form of an evidence file (docs/evidence-format.md). What has another form is unreadable; whether the parts prove
// anything is for others.
import { toKey } from '../../identity.ts';
import { isJsonObject } from '../../records/attributes.ts';
import type { HashRule } from '../blockHash.ts';
import { type BlockHeader, decodeBlockHeader } from '../blockHeader.ts';
import { decodeCheckpoint } from '../checkpoint.ts';
import { decodeRecordLeaf, LEAF_BYTES, type RecordLeaf } from '../recordLeaf.ts';
import { decodeSignedNote } from '../signedNote.ts';
import { decodeTlogProof, type TlogProof } from '../tlogProof.ts';
import { assertReadable } from '../unreadableEvidence.ts';
import { type Claim, readClaim } from './claim.ts';
import { readBase64, readHex, readInteger, readList, readObject, readString, readUtf8 } from './jsonParts.ts';
import { parseStrictJson } from './strictJson.ts';

const FORMAT = 'provenance-ledger/evidence/';
const VERSION = '1';
const PAYLOAD_VERSION = 0x01;
const HASH_BYTES = 32;
const HEAD_BYTES = 28;
const ADDRESS_BYTES = 20;
const BLOCKS_MAX = 8;
const PROOFS_MAX = 16;
const NODES_MAX = 64;
const PATH_MAX = 64;
const ANCHORS_MAX = 8;
const STAMPS_MAX = 8;
const STAMP_BYTES_MAX = 64 * 1024;
const RECORDS_MAX = 50_000;
const RULES: readonly HashRule[] = ['ethereum', 'clique', 'qbft', 'ibft2'];

/** A checkpoint of a log with the block, and what others said of the checkpoint. */
export interface Anchor extends TlogProof {
  /** RFC 3161 tokens over the text of the checkpoint's note. */
  readonly tokens: readonly Uint8Array[];
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

/** A leaf of a tenant's tree. */
export interface LeafProof {
  readonly kind: 'leaf';
  /** Index of the proof of the log with the tree's root. */
  readonly root: number;
  readonly index: number;
  readonly path: readonly Uint8Array[];
  readonly sequence: number;
  readonly head: Uint8Array;
}

/** The contract's account in the state after a block. */
export interface AccountProof {
  readonly kind: 'account';
  /** Index of the block in the file. */
  readonly block: number;
  readonly nodes: readonly Uint8Array[];
}

/** A record with its content. */
export interface DisclosedRecord {
  /** 20 bytes. */
  readonly author: Uint8Array;
  readonly payload: Uint8Array;
  /** Key of the record, 32 bytes. */
  readonly key: Uint8Array;
}

/** An evidence file. */
export interface Bundle {
  readonly ledger: { readonly chainId: number; readonly contract: Uint8Array };
  readonly claim: Claim;
  /** Digests of records in the order of their stream. */
  readonly digests: readonly Uint8Array[];
  /** Records in the order of their stream. */
  readonly records: readonly DisclosedRecord[];
  /** Leaves that leaf proofs prove, in their order. */
  readonly leaves: readonly RecordLeaf[];
  readonly blocks: readonly BundleBlock[];
  /** Proofs of the claim. */
  readonly proofs: readonly (LogProof | LeafProof)[];
  readonly account: AccountProof | undefined;
}

const readTlogProof = (text: string): TlogProof => {
  const proof = decodeTlogProof(text);
  decodeCheckpoint(decodeSignedNote(proof.checkpoint).text);
  return proof;
};

const readStamps = (value: unknown, where: string): Uint8Array[] =>
  value === undefined
    ? []
    : readList(value, where, STAMPS_MAX).map((one) => {
        const stamp = readBase64(one, where);
        assertReadable(stamp.length <= STAMP_BYTES_MAX, `${where} has one of more than ${STAMP_BYTES_MAX} bytes`);
        return stamp;
      });

const readAnchor = (value: unknown, where: string): Anchor => {
  const { kind, proof, rfc3161, ots } = readObject(value, where, ['kind', 'proof'], ['rfc3161', 'ots']);
  assertReadable(kind === 'tlog-proof', `${where} has one of an unknown kind`);
  // Files of OpenTimestamps are for its own tools.
  readStamps(ots, `${where}.ots`);
  return { ...readTlogProof(readString(proof, where)), tokens: readStamps(rfc3161, `${where}.rfc3161`) };
};

const readBlock = (value: unknown, at: number): BundleBlock => {
  const where = `blocks[${at}]`;
  const { rule, header, anchors } = readObject(value, where, ['rule', 'header', 'anchors']);
  assertReadable((RULES as readonly unknown[]).includes(rule), `${where}.rule is unknown`);
  return {
    rule: rule as HashRule,
    header: decodeBlockHeader(readBase64(header, `${where}.header`)),
    anchors: readList(anchors, `${where}.anchors`, ANCHORS_MAX).map((anchor) => readAnchor(anchor, `${where}.anchors`)),
  };
};

const readHashes = (value: unknown, where: string, max: number, read: (one: unknown) => Uint8Array) =>
  readList(value, where, max).map(read);

const readHash = (value: unknown, where: string): Uint8Array => {
  const hash = readBase64(value, where);
  assertReadable(hash.length === HASH_BYTES, `${where} has one without ${HASH_BYTES} bytes`);
  return hash;
};

const readLogProof = (value: unknown, where: string): LogProof => {
  const names = ['kind', 'block', 'transaction', 'nodes', 'log'];
  const { block, transaction, nodes, log } = readObject(value, where, names);
  return {
    kind: 'log',
    block: readInteger(block, `${where}.block`),
    transaction: readInteger(transaction, `${where}.transaction`),
    nodes: readHashes(nodes, `${where}.nodes`, NODES_MAX, (node) => readBase64(node, `${where}.nodes`)),
    log: readInteger(log, `${where}.log`),
  };
};

const readLeafProof = (value: unknown, where: string): LeafProof => {
  const names = ['kind', 'root', 'index', 'path', 'sequence', 'head'];
  const { root, index, path, sequence, head } = readObject(value, where, names);
  return {
    kind: 'leaf',
    root: readInteger(root, `${where}.root`),
    index: readInteger(index, `${where}.index`),
    path: readHashes(path, `${where}.path`, PATH_MAX, (hash) => readHash(hash, `${where}.path`)),
    sequence: readInteger(sequence, `${where}.sequence`, 1),
    head: readHex(head, `${where}.head`, HEAD_BYTES),
  };
};

const readAccountProof = (value: unknown, where: string): AccountProof => {
  const { block, nodes } = readObject(value, where, ['kind', 'block', 'nodes']);
  return {
    kind: 'account',
    block: readInteger(block, `${where}.block`),
    nodes: readHashes(nodes, `${where}.nodes`, NODES_MAX, (node) => readBase64(node, `${where}.nodes`)),
  };
};

const toKind = (proof: unknown): unknown => (proof as { kind?: unknown } | null)?.kind;

const readProof = (value: unknown, at: number): LogProof | LeafProof => {
  const where = `proofs[${at}]`;
  const kind = toKind(value);
  assertReadable(kind === 'log' || kind === 'leaf', `${where}.kind is unknown`);
  return kind === 'log' ? readLogProof(value, where) : readLeafProof(value, where);
};

// The proof of the account comes last.
const readProofs = (value: unknown): Pick<Bundle, 'proofs' | 'account'> => {
  const all = readList(value, 'proofs', PROOFS_MAX);
  const end = toKind(all.at(-1)) === 'account' ? -1 : all.length;
  const [last] = all.slice(end).map((proof) => readAccountProof(proof, `proofs[${all.length - 1}]`));
  return { proofs: all.slice(0, end).map(readProof), account: last };
};

const readParts = (value: unknown, where: string, length: number): Uint8Array[] => {
  if (value === undefined) return [];
  const bytes = readBase64(value, where);
  assertReadable(bytes.length % length === 0, `${where} is not a whole number of ${length} bytes`);
  return Array.from({ length: bytes.length / length }, (_, at) => bytes.subarray(at * length, (at + 1) * length));
};

// Whether the payload is a record of the ledger doesn't matter: only the right key leads to the proven digest.
const readPayloadKey = (payload: Uint8Array, where: string): Uint8Array => {
  assertReadable(payload[0] === PAYLOAD_VERSION, `${where}.payload has no identity`);
  const record = parseStrictJson(readUtf8(payload.subarray(1), `${where}.payload`));
  const identity = isJsonObject(record) ? record.identity : undefined;
  return toKey(readString(identity, `${where}.payload: identity`));
};

const readRecord = (value: unknown, at: number): DisclosedRecord => {
  const where = `records[${at}]`;
  const { author, payload: encoded, id } = readObject(value, where, ['author', 'payload'], ['id']);
  const payload = readBase64(encoded, `${where}.payload`);
  return {
    author: readHex(author, `${where}.author`, ADDRESS_BYTES),
    payload,
    key: id === undefined ? readPayloadKey(payload, where) : readHex(id, `${where}.id`, HASH_BYTES),
  };
};

const assertFormat = (value: unknown): void => {
  const format = (value as { format?: unknown } | null)?.format;
  assertReadable(typeof format === 'string' && format.startsWith(FORMAT), 'not an evidence file');
  assertReadable(format === `${FORMAT}${VERSION}`, `the format ${format} is newer than this verifier`);
};

/**
 * The parts of an evidence file.
 * @throws UnreadableEvidence for a text of another form, of a newer format, or beyond a limit.
 */
export const parseBundle = (text: string): Bundle => {
  const value = parseStrictJson(text);
  assertFormat(value);
  const names = ['format', 'ledger', 'claim', 'blocks', 'proofs'];
  const { ledger, claim, digests, records, leaves, blocks, proofs } = readObject(value, 'the file', names, [
    'digests',
    'records',
    'leaves',
  ]);
  const { chain_id, contract } = readObject(ledger, 'ledger', ['chain_id', 'contract']);
  return {
    ledger: {
      chainId: readInteger(chain_id, 'ledger.chain_id', 1),
      contract: readHex(contract, 'ledger.contract', ADDRESS_BYTES),
    },
    claim: readClaim(claim),
    digests: readParts(digests, 'digests', HASH_BYTES),
    records: records === undefined ? [] : readList(records, 'records', RECORDS_MAX).map(readRecord),
    leaves: readParts(leaves, 'leaves', LEAF_BYTES).map(decodeRecordLeaf),
    blocks: readList(blocks, 'blocks', BLOCKS_MAX).map(readBlock),
    ...readProofs(proofs),
  };
};
