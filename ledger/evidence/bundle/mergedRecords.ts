// The records of a merged history with their proven places on the chain: each has a leaf in its tenant's tree, and
// where several tenants have records in one block, its own log.
import { toHex } from '../../encoding/hex.ts';
import { toKey } from '../../identity.ts';
import { decodeKeyedPayload, PAYLOAD_BYTES_MAX } from '../../records/record.ts';
import type { PlacedRecord } from '../../sharing/mergedHistory.ts';
import { isSameBytes } from '../bytes.ts';
import type { RecordLeaf } from '../recordLeaf.ts';
import type { LogProof } from './blocks.ts';
import type { DisclosedRecord, LeafProof } from './bundle.ts';
import { assertLeaf, type ProvenBundle, requireHistory, requireLog, toDigests } from './claimChecks.ts';
import { assertProved } from './findings.ts';
import { isContributions, listMergedTenants, type MergedParts, type NamedStream } from './mergedClaim.ts';
import type { HashedBlock, ProvenLog } from './provenParts.ts';

/** Times of acceptance have years of four digits. */
const TIME_SECONDS_MAX = 253_402_300_799;

/** A record of the file. Later places sort after earlier ones. */
export interface FilePlacedRecord extends PlacedRecord {
  /** Index in the file. */
  readonly index: number;
}

/** What the records of a file prove. */
export interface MergedRecords {
  /** In the order of the chain. */
  readonly placed: readonly FilePlacedRecord[];
  /** The records of each part, in their order. */
  readonly ofParts: readonly (readonly DisclosedRecord[])[];
  /** The first of the blocks at which the parts are attested. */
  readonly block: HashedBlock;
}

/** A record before its place is known. */
interface Row {
  readonly stream: NamedStream;
  readonly record: DisclosedRecord;
  readonly digest: Uint8Array;
  /** Position in a part; undefined for a record that only shows its author. */
  readonly position: number | undefined;
  readonly leaf: RecordLeaf;
  readonly proof: LeafProof;
}

const toStreamNames = ({ tenantIdentity, streamIdentity }: NamedStream): NamedStream => ({
  tenantIdentity,
  streamIdentity,
});

const splitParts = ({ bundle }: ProvenBundle, { parts }: MergedParts): DisclosedRecord[][] => {
  let at = 0;
  return parts.map(({ count }) => {
    at += count;
    return bundle.records.slice(at - count, at);
  });
};

/**
 * The first block at which the contract logged the parts. Of each of them these are all records before it.
 * @param digests those of each part.
 * @throws Refuted when the contract logged other ones.
 */
export const requireParts = (
  { logs }: ProvenBundle,
  { parts }: MergedParts,
  digests: readonly (readonly Uint8Array[])[],
): HashedBlock => {
  const blocks = parts.map((part, at) => requireHistory(logs[at], toStreamNames(part), digests[at]!).block);
  return blocks.reduce((first, block) => (block.number < first.number ? block : first));
};

const toRows = (
  { bundle }: ProvenBundle,
  claim: MergedParts,
  ofParts: readonly (readonly DisclosedRecord[])[],
  digests: readonly (readonly Uint8Array[])[],
): Row[] => {
  const proofsAt = claim.parts.length + listMergedTenants(claim).length;
  const ends = bundle.records.slice(bundle.records.length - claim.authors.length);
  const rows: Omit<Row, 'leaf' | 'proof'>[] = [
    ...claim.parts.flatMap((stream, part) =>
      ofParts[part]!.map((record, at) => ({ stream, record, digest: digests[part]![at]!, position: at + 1 })),
    ),
    ...claim.authors.map((stream, at) => {
      const record = ends[at]!;
      return { stream, record, digest: toDigests(bundle, [record], stream)[0]!, position: undefined };
    }),
  ];
  return rows.map((row, at) => ({
    ...row,
    leaf: bundle.leaves[at]!,
    proof: bundle.proofs[proofsAt + at] as LeafProof,
  }));
};

const assertRow = (proven: ProvenBundle, { stream, digest, position, leaf, proof }: Row, at: number): void => {
  const isSame =
    isSameBytes(leaf.digest, digest) &&
    leaf.sequence === proof.sequence &&
    isSameBytes(leaf.head, proof.head) &&
    (position === undefined || leaf.sequence === position);
  assertProved(isSame, 'position', `leaf ${at} is not that of record ${at}`);
  assertProved(leaf.blockTimeSeconds <= TIME_SECONDS_MAX, 'position', `leaf ${at} is of a time after the year 9999`);
  assertLeaf(proven, proof, toKey(stream.tenantIdentity), leaf);
};

// What decided on a contribution is known up to the first block alone.
const assertDecided = (claim: MergedParts, rows: readonly Row[], block: HashedBlock): void => {
  const late = rows.find(
    ({ stream, position, leaf }) =>
      position !== undefined && isContributions(claim, stream) && leaf.blockNumber >= block.number,
  );
  assertProved(late === undefined, 'completeness', `a contribution is not from before block ${block.number}`);
};

/** The rows of blocks in which several tenants have records. */
const findShared = (rows: readonly Row[]): Row[] => {
  const byBlock = Map.groupBy(rows, ({ leaf }) => leaf.blockNumber);
  const isShared = ({ leaf }: Row): boolean =>
    new Set(byBlock.get(leaf.blockNumber)!.map(({ stream }) => stream.tenantIdentity)).size > 1;
  return rows.filter(isShared);
};

type PlaceInBlock = readonly [transaction: number, log: number];

const requirePlace = (row: Row, found: ProvenLog | undefined, { log: index }: LogProof): PlaceInBlock => {
  const tenant = toKey(row.stream.tenantIdentity);
  const { log, block, transaction } = requireLog(found, 'RecordAppended', { tenant }, 'position');
  const isSame = isSameBytes(log.digest, row.digest) && block.number === row.leaf.blockNumber;
  assertProved(isSame, 'position', 'a log is not that of the record of its block');
  return [transaction, index];
};

const findPlaces = ({ bundle, logs }: ProvenBundle, rows: readonly Row[]): Map<Row, PlaceInBlock> => {
  const shared = findShared(rows);
  const at = bundle.proofs.findLastIndex(({ kind }) => kind === 'leaf') + 1;
  const isEach = bundle.proofs.length - at === shared.length;
  assertProved(isEach, 'position', `${shared.length} records share a block with those of other tenants`);
  return new Map(
    shared.map((row, n) => [row, requirePlace(row, logs[at + n], bundle.proofs[at + n] as LogProof)] as const),
  );
};

const toPlaced = ({ stream, record, position, leaf }: Row, index: number): FilePlacedRecord => {
  const keys = { streamKey: toHex(toKey(stream.streamIdentity)), recordKey: toHex(record.key) };
  const isRecord = position !== undefined && record.payload.length <= PAYLOAD_BYTES_MAX;
  return {
    index,
    tenantIdentity: stream.tenantIdentity,
    author: toHex(record.author),
    blockTimeSeconds: leaf.blockTimeSeconds,
    record: isRecord ? decodeKeyedPayload(record.payload, keys) : undefined,
  };
};

const compare = (one: readonly number[], other: readonly number[]): number => {
  const at = one.findIndex((value, n) => value !== other[n]);
  return at < 0 ? 0 : one[at]! - other[at]!;
};

// In a block of one tenant, the leaves have the order of the logs.
const sortRows = (rows: readonly Row[], places: ReadonlyMap<Row, PlaceInBlock>): FilePlacedRecord[] =>
  rows
    .map((row, index) => {
      const place = [row.leaf.blockNumber, ...(places.get(row) ?? [0, row.proof.index])];
      return { place, placed: toPlaced(row, index) };
    })
    .sort((one, other) => compare(one.place, other.place))
    .map(({ placed }) => placed);

/**
 * The records of a merged history, in the order of the chain.
 * @throws Refuted when a part isn't complete, or a place isn't proven.
 */
export const requireMergedRecords = (proven: ProvenBundle, claim: MergedParts): MergedRecords => {
  const ofParts = splitParts(proven, claim);
  const digests = claim.parts.map((part, at) => toDigests(proven.bundle, ofParts[at]!, part));
  const block = requireParts(proven, claim, digests);
  const rows = toRows(proven, claim, ofParts, digests);
  for (const [at, row] of rows.entries()) assertRow(proven, row, at);
  assertDecided(claim, rows, block);
  return { placed: sortRows(rows, findPlaces(proven, rows)), ofParts, block };
};
