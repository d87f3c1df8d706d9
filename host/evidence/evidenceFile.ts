// The text of an evidence file (docs/evidence-format.md), from its parts.
import { setImmediate } from 'node:timers/promises';
import type { TreeRecord } from '../../indexer/treeView.ts';
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
/** Some 5 ms. */
const RECORDS_BETWEEN_PAUSES = 50;

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

/**
 * The text of a file.
 * @throws LedgerError EVIDENCE_TOO_LARGE beyond 16 MiB.
 */
export const encodeEvidenceFile = (
  { chainId, contract }: { readonly chainId: number; readonly contract: Hex },
  { claim, ...parts }: FileParts,
): string => {
  const text = JSON.stringify({ format: FORMAT, ledger: { chain_id: chainId, contract }, claim, ...parts });
  if (text.length > TEXT_MAX) throw refuseLargeFile();
  return text;
};

const hasOwnKey = ({ payload, recordKey }: TreeRecord): boolean => {
  const record = decodePayload(payload);
  return record !== undefined && isSameBytes(toKey(record.identity), recordKey);
};

const toFileRecord = (record: TreeRecord): FileRecord => ({
  author: toHex(record.author),
  payload: toBase64(record.payload),
  ...(hasOwnKey(record) ? {} : { id: toHex(record.recordKey) }),
});

/** Records as a file discloses them. Pauses now and then, so that other requests are answered meanwhile. */
export const toFileRecords = async (records: readonly TreeRecord[]): Promise<FileRecord[]> => {
  const found: FileRecord[] = [];
  for (const [at, record] of records.entries()) {
    if (at % RECORDS_BETWEEN_PAUSES === 0) await setImmediate();
    found.push(toFileRecord(record));
  }
  return found;
};

/** The leaves of a file. */
export const toFileLeaves = (leaves: readonly RecordLeaf[]): string =>
  toBase64(concatBytes(leaves.map(encodeRecordLeaf)));
