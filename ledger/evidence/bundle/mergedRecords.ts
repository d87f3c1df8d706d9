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
import { findOwnPosition } from './judgedRecords.ts';
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
  /** The records of each part that have an effect, in their order. */
  readonly ofParts: readonly (readonly DisclosedRecord[])[];
  /** The first of the blocks at which the parts are attested. */
  readonly block: HashedBlock;
}

/** A record before its place is known. */
interface Row {
  readonly stream: NamedStream;
  readonly record: DisclosedRecord;
  readonly digest: Uint8Array;
  /** Whether it is of a part. Others show their authors, or their tenant's own record. */
  readonly isOfPart: boolean;
  /** Position in its stream; undefined for a record that only shows its author. */
  readonly position: number | undefined;
  readonly leaf: RecordLeaf;
  readonly proof: LeafProof;
}

const splitParts = <T>(rows: readonly T[], { parts }: MergedParts): T[][] => {
  let at = 0;
  return parts.map(({ count }) => {
    at += count;
    return rows.slice(at - count, at);
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
  const blocks = parts.map((part, at) => requireHistory(logs[at], part, digests[at]!).block);
  return blocks.reduce((first, block) => (block.number < first.number ? block : first));
};

/** Records of one stream that follow each other in the file. */
interface Segment extends Pick<Row, 'stream' | 'isOfPart'> {
  readonly count: number;
  /** Whether they are the first of their stream. */
  readonly isNumbered: boolean;
}

const listSegments = ({ parts, authors, own }: MergedParts): Segment[] => [
  ...parts.map((part) => ({ stream: part, count: part.count, isOfPart: true, isNumbered: true })),
  ...authors.map((stream) => ({ stream, count: 1, isOfPart: false, isNumbered: false })),
  ...own.map(({ tenantIdentity, count }) => {
    const stream = { tenantIdentity, streamIdentity: tenantIdentity };
    return { stream, count, isOfPart: false, isNumbered: true };
  }),
];

const toRows = ({ bundle }: ProvenBundle, claim: MergedParts): Row[] => {
  const proofsAt = claim.parts.length + listMergedTenants(claim).length;
  let at = 0;
  return listSegments(claim).flatMap(({ stream, count, isOfPart, isNumbered }) => {
    const records = bundle.records.slice(at, at + count);
    const digests = toDigests(bundle, records, stream);
    return records.map((record, n) => {
      const [leaf, proof] = [bundle.leaves[at]!, bundle.proofs[proofsAt + at] as LeafProof];
      at += 1;
      return { stream, record, digest: digests[n]!, isOfPart, position: isNumbered ? n + 1 : undefined, leaf, proof };
    });
  });
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
    ({ stream, isOfPart, leaf }) => isOfPart && isContributions(claim, stream) && leaf.blockNumber >= block.number,
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

const toPlaced = ({ stream, record, isOfPart, leaf }: Row): Omit<FilePlacedRecord, 'index' | 'isEarly'> => {
  const keys = { streamKey: toHex(toKey(stream.streamIdentity)), recordKey: toHex(record.key) };
  const isRecord = isOfPart && record.payload.length <= PAYLOAD_BYTES_MAX;
  return {
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
const sortRows = (rows: readonly Row[], places: ReadonlyMap<Row, PlaceInBlock>): Row[] =>
  rows
    .map((row) => ({ row, place: [row.leaf.blockNumber, ...(places.get(row) ?? [0, row.proof.index])] }))
    .sort((one, other) => compare(one.place, other.place))
    .map(({ row }) => row);

// The records of each tenant's own stream come last, without a gap from the first one on: no earlier one is its own.
const findOwnRows = (rows: readonly Row[], { own }: MergedParts): Map<string, Row> => {
  const all = rows.filter(({ isOfPart, position }) => !isOfPart && position !== undefined);
  const byTenant = Map.groupBy(all, ({ stream }) => stream.tenantIdentity);
  return new Map(
    own.map(({ tenantIdentity, count }) => {
      const first = byTenant.get(tenantIdentity)!;
      const position = findOwnPosition(
        first.map(({ record }) => record),
        tenantIdentity,
      );
      assertProved(
        position === count,
        'completeness',
        "the records of a tenant's stream don't end with its own record",
      );
      return [tenantIdentity, first.at(-1)!] as const;
    }),
  );
};

/** Records of tenants from before the tenant's own record, as far as the file shows it. */
const findEarly = (inOrder: readonly Row[], ownRows: ReadonlyMap<string, Row>): Set<Row> => {
  const waiting = new Map(ownRows);
  const isEarly = (row: Row): boolean => {
    const { tenantIdentity } = row.stream;
    if (waiting.get(tenantIdentity) === row) waiting.delete(tenantIdentity);
    return waiting.has(tenantIdentity);
  };
  return new Set(inOrder.filter(isEarly));
};

/**
 * The records of a merged history, in the order of the chain.
 * @throws Refuted when a part isn't complete, or a place isn't proven.
 */
export const requireMergedRecords = (proven: ProvenBundle, claim: MergedParts): MergedRecords => {
  const rows = toRows(proven, claim);
  const ofParts = splitParts(rows, claim);
  const digests = ofParts.map((part) => part.map(({ digest }) => digest));
  const block = requireParts(proven, claim, digests);
  for (const [at, row] of rows.entries()) assertRow(proven, row, at);
  assertDecided(claim, rows, block);
  const inOrder = sortRows(rows, findPlaces(proven, rows));
  const early = findEarly(inOrder, findOwnRows(rows, claim));
  const indexes = new Map(rows.map((row, index) => [row, index] as const));
  return {
    placed: inOrder.map((row) => ({ ...toPlaced(row), index: indexes.get(row)!, isEarly: early.has(row) })),
    ofParts: ofParts.map((part) => part.filter((row) => !early.has(row)).map(({ record }) => record)),
    block,
  };
};
