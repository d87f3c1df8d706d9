// The streams of the index that a file of an asset with contributions has records of.
import type { TreeRecord } from '../../indexer/treeView.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import type { NamedStream } from '../../ledger/evidence/bundle/mergedClaim.ts';
import { toKey } from '../../ledger/identity.ts';
import { decodeKeyedPayload } from '../../ledger/records/record.ts';
import type { OwnedAsset, PlacedRecord } from '../../ledger/sharing/mergedHistory.ts';
import type { EvidenceContext } from './evidenceContext.ts';
import { refuseLargeFile } from './evidenceFile.ts';

/** What a verifier reads. */
export const MERGED_RECORDS_MAX = 2_000;
/** Of all payloads of a file. */
const PAYLOAD_BYTES_SUM_MAX = 12 * 1024 * 1024;
const PAGE_RECORDS = 100;

/** A record of the index for a merged history. */
export interface MergedRecord extends PlacedRecord {
  readonly stream: NamedStream;
  readonly tree: TreeRecord;
}

/** The index that records are read from. */
export type Trees = Pick<EvidenceContext, 'trees'>;

/** The stream of the contributions of each tenant that contributed to an asset. */
export const listContributions = async (
  { trees }: Trees,
  { tenantIdentity, assetIdentity }: OwnedAsset,
): Promise<NamedStream[]> => {
  const writers = await trees.readContributors(toKey(tenantIdentity), toKey(assetIdentity));
  return writers.map((writer) => ({ tenantIdentity: writer, streamIdentity: `${tenantIdentity}/${assetIdentity}` }));
};

/** A record that only shows its author. */
export const toAuthorSource = (stream: NamedStream, tree: TreeRecord): MergedRecord => ({
  stream,
  tree,
  tenantIdentity: stream.tenantIdentity,
  author: toHex(tree.author),
  blockTimeSeconds: tree.leaf.blockTimeSeconds,
  record: undefined,
  isEarly: false,
});

/** A record of a part. `begin`: number of the leaf of its tenant's own record. */
export const toSource = (stream: NamedStream, tree: TreeRecord, begin: number): MergedRecord => {
  const keys = { streamKey: toHex(toKey(stream.streamIdentity)), recordKey: toHex(tree.recordKey) };
  const record = decodeKeyedPayload(tree.payload, keys);
  return { ...toAuthorSource(stream, tree), record, isEarly: tree.index < begin };
};

/** Bounds of what is kept of records. */
export interface RecordBounds {
  readonly recordsMax: number;
  /** Of all payloads. */
  readonly bytesMax: number;
}

const FILE_BOUNDS: RecordBounds = { recordsMax: MERGED_RECORDS_MAX, bytesMax: PAYLOAD_BYTES_SUM_MAX };

/** Counts records that fit within bounds. */
export const createAllowance = ({ recordsMax, bytesMax } = FILE_BOUNDS) => {
  let kept = { count: 0, bytes: 0 };
  /** Whether these fit besides those that did before; else they don't count. */
  return (trees: readonly TreeRecord[]): boolean => {
    const count = kept.count + trees.length;
    const bytes = trees.reduce((sum, { payload }) => sum + payload.length, kept.bytes);
    if (count > recordsMax || bytes > bytesMax) return false;
    kept = { count, bytes };
    return true;
  };
};

/** @throws LedgerError EVIDENCE_TOO_LARGE for more records than a file may have. */
export const assertFits = (records: readonly Pick<MergedRecord, 'tree'>[]): void => {
  if (!createAllowance()(records.map(({ tree }) => tree))) throw refuseLargeFile();
};

/** All records of a stream; undefined for more than a file may have. */
export const readStream = async ({ trees }: Trees, stream: NamedStream): Promise<MergedRecord[] | undefined> => {
  const found: MergedRecord[] = [];
  const isAllowed = createAllowance();
  const [tenantKey, streamKey] = [toKey(stream.tenantIdentity), toKey(stream.streamIdentity)];
  const begin = await trees.findOwnRecord(tenantKey);
  for (let from = 1; ; from += PAGE_RECORDS) {
    const page = await trees.readStreamRecords(tenantKey, streamKey, from, from + PAGE_RECORDS - 1);
    if (!isAllowed(page)) return undefined;
    found.push(...page.map((tree) => toSource(stream, tree, begin)));
    if (page.length < PAGE_RECORDS) return found;
  }
};
