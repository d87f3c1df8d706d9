// The text of an evidence file (docs/evidence-format.md), from its parts.
import type { TreeRecord } from '../../indexer/treeView.ts';
import { mapInSteps, type Steps } from '../../ledger/compliance/steps.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toBase64 } from '../../ledger/evidence/base64.ts';
import type { HashRule } from '../../ledger/evidence/blockHash.ts';
import { concatBytes, isSameBytes } from '../../ledger/evidence/bytes.ts';
import { encodeRecordLeaf, type RecordLeaf } from '../../ledger/evidence/recordLeaf.ts';
import { toKey } from '../../ledger/identity.ts';
import { decodePayload } from '../../ledger/records/record.ts';

const FORMAT = 'provenance-ledger/evidence/1';
/** UTF-16 units; the text has few characters of more than one byte. */
const TEXT_MAX = 16 * 1024 * 1024;
/** Characters of a long text in one step. */
const TEXT_STEP = 2 ** 16;
/** Digests in one step. Their bytes are a multiple of three, so that no padding comes between two steps. */
const DIGESTS_OF_STEP = 3_000;

/** A block in a file. */
export interface FileBlock {
  readonly rule: HashRule;
  readonly header: string;
  readonly anchors: readonly {
    readonly kind: 'tlog-proof';
    readonly proof: string;
    readonly rfc3161?: readonly string[];
    readonly elsewhere?: readonly FileElsewhere[];
  }[];
}

/** The record of a checkpoint on another ledger, in a file. */
export interface FileElsewhere {
  readonly ledger: { readonly chain_id: number; readonly contract: string };
  /** Its anchors have no record elsewhere. */
  readonly block: FileBlock;
  readonly proof: Extract<FileProof, { kind: 'log' }>;
}

/** A proof in a file. */
export type FileProof =
  | {
      readonly kind: 'log';
      readonly block: number;
      readonly transaction: number;
      readonly nodes: readonly string[];
      readonly log: number;
    }
  | {
      readonly kind: 'leaf';
      readonly root: number;
      readonly index: number;
      readonly path: readonly string[];
      readonly sequence: number;
      readonly head: Hex;
    }
  | { readonly kind: 'account'; readonly block: number; readonly nodes: readonly string[] };

/** A record in a file, with its content. */
export interface FileRecord {
  readonly author: Hex;
  readonly payload: string;
  /** The record's key, where its payload doesn't state it. */
  readonly id?: Hex;
}

/** The parts of a file besides its format and its ledger. */
export interface FileParts {
  readonly claim: { readonly kind: string } & Readonly<Record<string, unknown>>;
  readonly digests?: string;
  readonly records?: readonly FileRecord[];
  readonly leaves?: string;
  readonly blocks: readonly FileBlock[];
  readonly proofs: readonly FileProof[];
}

/** The refusal of a file that would be larger than a verifier reads. */
export const refuseLargeFile = (): LedgerError => new LedgerError('EVIDENCE_TOO_LARGE');

// Long texts are base64, which can be cut anywhere.
function* encodeText(text: string, parts: string[]): Steps<void> {
  parts.push('"');
  for (let at = 0; at < text.length; at += TEXT_STEP) {
    parts.push(JSON.stringify(text.slice(at, at + TEXT_STEP)).slice(1, -1));
    yield;
  }
  parts.push('"');
}

function* encodeList(items: readonly unknown[], parts: string[]): Steps<void> {
  parts.push('[');
  for (const [index, item] of items.entries()) {
    parts.push(index === 0 ? '' : ',', JSON.stringify(item));
    yield;
  }
  parts.push(']');
}

/**
 * The text of a file, in steps of some KB: that of `JSON.stringify`. Its parts are joined once, because each copy of
 * 16 MiB takes ten milliseconds.
 * @throws LedgerError EVIDENCE_TOO_LARGE beyond 16 MiB.
 */
export function* encodeEvidenceFile(
  { chainId, contract }: { readonly chainId: number; readonly contract: Hex },
  { claim, ...given }: FileParts,
): Steps<string> {
  const parts: string[] = [];
  const members = { format: FORMAT, ledger: { chain_id: chainId, contract }, claim, ...given };
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    parts.push(parts.length === 0 ? '{' : ',', JSON.stringify(name), ':');
    if (Array.isArray(value)) yield* encodeList(value, parts);
    else if (typeof value === 'string') yield* encodeText(value, parts);
    else parts.push(JSON.stringify(value));
  }
  parts.push('}');
  const text = parts.join('');
  if (text.length > TEXT_MAX) throw refuseLargeFile();
  return text;
}

const hasOwnKey = ({ payload, recordKey }: TreeRecord): boolean => {
  const record = decodePayload(payload);
  return record !== undefined && isSameBytes(toKey(record.identity), recordKey);
};

const toText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');

const toFileRecord = (record: TreeRecord): FileRecord => ({
  author: toHex(record.author),
  payload: toText(record.payload),
  ...(hasOwnKey(record) ? {} : { id: toHex(record.recordKey) }),
});

/** Records as a file discloses them, a step for each. */
export const toFileRecords = (records: readonly TreeRecord[]): Steps<FileRecord[]> => mapInSteps(records, toFileRecord);

/** Digests as a file has them. */
export function* toFileDigests(digests: readonly Uint8Array[]): Steps<string> {
  const parts: string[] = [];
  for (let from = 0; from < digests.length; from += DIGESTS_OF_STEP) {
    parts.push(Buffer.concat(digests.slice(from, from + DIGESTS_OF_STEP)).toString('base64'));
    yield;
  }
  return parts.join('');
}

/** The leaves of a file. */
export const toFileLeaves = (leaves: readonly RecordLeaf[]): string =>
  toBase64(concatBytes(leaves.map(encodeRecordLeaf)));
