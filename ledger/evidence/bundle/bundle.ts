// The form of an evidence file (docs/evidence-format.md). What has another form is unreadable; whether the parts prove
// anything is for others.
import { toKey } from '../../identity.ts';
import { isJsonObject } from '../../records/attributes.ts';
import { isReadablePayload } from '../../records/record.ts';
import { decodeRecordLeaf, LEAF_BYTES, type RecordLeaf } from '../recordLeaf.ts';
import { assertReadable } from '../unreadableEvidence.ts';
import {
  type BundleBlock,
  type LedgerName,
  type LogProof,
  readBlock,
  readLedgerName,
  readLogProof,
  readNodes,
} from './blocks.ts';
import { type Claim, isMerged, readClaim } from './claim.ts';
import { readBase64, readHex, readInteger, readList, readObject, readString, readUtf8 } from './jsonParts.ts';
import { parseStrictJson } from './strictJson.ts';

const FORMAT = 'provenance-ledger/evidence/';
const VERSION = '1';
const HASH_BYTES = 32;
const HEAD_BYTES = 28;
const ADDRESS_BYTES = 20;
const LIMITS = { blocks: 8, proofs: 16 };
/** Each record of a merged history has a proof of its place. */
const MERGED_LIMITS = { blocks: 64, proofs: 5_000 };
const PATH_MAX = 64;
const RECORDS_MAX = 50_000;

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
  readonly ledger: LedgerName;
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

const readHash = (value: unknown, where: string): Uint8Array => {
  const hash = readBase64(value, where);
  assertReadable(hash.length === HASH_BYTES, `${where} has one without ${HASH_BYTES} bytes`);
  return hash;
};

const readLeafProof = (value: unknown, where: string): LeafProof => {
  const names = ['kind', 'root', 'index', 'path', 'sequence', 'head'];
  const { root, index, path, sequence, head } = readObject(value, where, names);
  return {
    kind: 'leaf',
    root: readInteger(root, `${where}.root`),
    index: readInteger(index, `${where}.index`),
    path: readList(path, `${where}.path`, PATH_MAX).map((hash) => readHash(hash, `${where}.path`)),
    sequence: readInteger(sequence, `${where}.sequence`, 1),
    head: readHex(head, `${where}.head`, HEAD_BYTES),
  };
};

const readAccountProof = (value: unknown, where: string): AccountProof => {
  const { block, nodes } = readObject(value, where, ['kind', 'block', 'nodes']);
  return {
    kind: 'account',
    block: readInteger(block, `${where}.block`),
    nodes: readNodes(nodes, `${where}.nodes`),
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
const readProofs = (value: unknown, max: number): Pick<Bundle, 'proofs' | 'account'> => {
  const all = readList(value, 'proofs', max);
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
  assertReadable(isReadablePayload(payload), `${where}.payload has no identity`);
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

/** Whether JSON says that it is an evidence file, in any version of the format. */
export const isEvidenceFile = (value: unknown): value is { format: string } => {
  const format = isJsonObject(value) ? value.format : undefined;
  return typeof format === 'string' && format.startsWith(FORMAT);
};

const assertFormat = (value: unknown): void => {
  assertReadable(isEvidenceFile(value), 'not an evidence file');
  const { format } = value;
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
  const said = readClaim(claim);
  const limits = isMerged(said) ? MERGED_LIMITS : LIMITS;
  return {
    ledger: readLedgerName(ledger, 'ledger'),
    claim: said,
    digests: readParts(digests, 'digests', HASH_BYTES),
    records: records === undefined ? [] : readList(records, 'records', RECORDS_MAX).map(readRecord),
    leaves: readParts(leaves, 'leaves', LEAF_BYTES).map(decodeRecordLeaf),
    blocks: readList(blocks, 'blocks', limits.blocks).map((block, at) => readBlock(block, `blocks[${at}]`)),
    ...readProofs(proofs, limits.proofs),
  };
};
