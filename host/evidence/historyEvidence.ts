// The evidence of the complete history of an asset, and of a range of it.
import { attestTree } from '../../chain/blockLog/attester.ts';
import type { AttestedStream, TreeRecord, TreeView } from '../../indexer/treeView.ts';
import { advanceHead, EMPTY_HEAD } from '../../ledger/encoding/digest.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { refuseField } from '../../ledger/errors.ts';
import { isSameBytes } from '../../ledger/evidence/bytes.ts';
import { toKey } from '../../ledger/identity.ts';
import type { HistoryQuery } from '../../server/evidenceSource.ts';
import { toParty } from './answerMemory.ts';
import type { Asker, Reach } from './coverage.ts';
import type { EvidenceContext } from './evidenceContext.ts';
import { type FileParts, refuseLargeFile, toFileDigests, toFileLeaves, toFileRecords } from './evidenceFile.ts';
import { proveLeaf, proveRecordedTree } from './leafProofs.ts';

/** Records that are read at once: 6.5 MB at most. */
const PAGE_RECORDS = 100;
/** What a verifier reads, in records and in characters. */
const RECORDS_MAX = 50_000;
const TEXT_MAX = 16 * 1024 * 1024;
const DIGESTS_MAX = 390_000;

interface Stream {
  readonly tenantKey: Uint8Array;
  readonly streamKey: Uint8Array;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

interface Collected {
  readonly digests: readonly Uint8Array[];
  readonly records: readonly TreeRecord[];
}

async function* readPages(trees: TreeView, { tenantKey, streamKey }: Stream, { from, to }: Span) {
  for (let next = from; next <= to; next += PAGE_RECORDS) {
    const last = Math.min(to, next + PAGE_RECORDS - 1);
    const page = await trees.readStreamRecords(tenantKey, streamKey, next, last);
    if (page.length !== last - next + 1) throw new Error(`the index lacks records ${next} to ${last} of a stream`);
    yield page;
  }
}

/** What to collect of records: their digests, or the records themselves. */
interface Wanted {
  readonly isDisclosed: boolean;
  /** Who waits for them. */
  readonly asker: Asker;
  /** Head of the stream before the first record; of an empty stream unless given. */
  readonly before?: Uint8Array;
  /** Head of the stream after the last one. */
  readonly head: Uint8Array;
}

type CollectContext = Pick<EvidenceContext, 'trees' | 'runInTurn' | 'holdAtLeast'>;

const collectAll = async (
  { trees, holdAtLeast }: CollectContext,
  stream: Stream,
  span: Span,
  { isDisclosed, before = EMPTY_HEAD, head }: Omit<Wanted, 'asker'>,
): Promise<Collected> => {
  if (span.to - span.from >= (isDisclosed ? RECORDS_MAX : DIGESTS_MAX)) throw refuseLargeFile();
  const [digests, records]: [Uint8Array[], TreeRecord[]] = [[], []];
  let [reached, characters] = [before, 0];
  for await (const page of readPages(trees, stream, span)) {
    for (const record of page) {
      reached = advanceHead(reached, record.leaf.digest);
      const { digest } = record.leaf;
      if (isDisclosed) records.push(record);
      else digests.push(digest);
      characters += ((isDisclosed ? record.payload : digest).length * 4) / 3;
    }
    if (characters > TEXT_MAX) throw refuseLargeFile();
    holdAtLeast(characters);
  }
  if (!isSameBytes(reached, head)) throw new Error('the records of a stream do not lead to its head');
  return { digests, records };
};

/**
 * The records of a stream: their digests, or with `isDisclosed` the records themselves.
 * @throws LedgerError EVIDENCE_TOO_LARGE beyond what a verifier reads, EVIDENCE_PENDING when too many of the same party
 * wait or aren't read yet; Error when they don't lead to the head.
 */
export const collectRecords = (
  context: CollectContext,
  stream: Stream,
  span: Span,
  wanted: Wanted,
): Promise<Collected> => {
  const collect = (): Promise<Collected> => collectAll(context, stream, span, wanted);
  return span.to - span.from < PAGE_RECORDS ? collect() : context.runInTurn(toParty(wanted.asker), collect);
};

const toStream = ({
  tenantIdentity,
  assetIdentity,
}: Pick<HistoryQuery, 'tenantIdentity' | 'assetIdentity'>): Stream => ({
  tenantKey: toKey(tenantIdentity),
  streamKey: toKey(assetIdentity),
});

/**
 * The attestation of the complete history of a stream. One before newer records doesn't show it, unless they were added
 * meanwhile.
 */
export const findStream = async (
  { trees }: EvidenceContext,
  { tenantKey, streamKey }: Stream,
  { untilBlock, isRequested }: Reach,
): Promise<AttestedStream | undefined> => {
  const attested = await trees.readAttestedStream(tenantKey, streamKey, untilBlock);
  // An asset that was accepted may not be on the chain yet.
  if (attested === undefined || attested.count === 0) return undefined;
  if (isRequested) return attested;
  const next = attested.count + 1;
  const newer = await trees.readStreamRecords(tenantKey, streamKey, next, next);
  return newer.length === 0 ? attested : undefined;
};

/** The parts of the file of the complete history of an asset. Rejects as `Coverage.cover` and `collectRecords` do. */
export const makeHistoryParts = async (context: EvidenceContext, query: HistoryQuery): Promise<FileParts> => {
  const stream = toStream(query);
  const { tenantKey, streamKey } = stream;
  const attestation = { ...attestTree(toHex(tenantKey)), streams: [toHex(streamKey)] };
  const { attested, block, proof } = await context.coverage.cover(query, [attestation], async (reach) => {
    const attested = await findStream(context, stream, reach);
    return attested && { attested, ...(await context.logProofs.prove(attested, reach.head)) };
  });
  const { count, head } = attested;
  const { isDisclosed, tenantIdentity, assetIdentity } = query;
  const wanted = { isDisclosed, head, asker: query };
  const { digests, records } = await collectRecords(context, stream, { from: 1, to: count }, wanted);
  return {
    claim: { kind: 'history', tenant_identity: tenantIdentity, asset_identity: assetIdentity, count },
    ...(isDisclosed
      ? { records: await context.runSteps(toFileRecords(records)) }
      : { digests: await context.runSteps(toFileDigests(digests)) }),
    blocks: [block],
    proofs: [proof],
  };
};

const readRecord = async (
  { trees }: EvidenceContext,
  { tenantKey, streamKey }: Stream,
  sequence: number,
): Promise<TreeRecord | undefined> => (await trees.readStreamRecords(tenantKey, streamKey, sequence, sequence))[0];

// The record before the range, and its last one.
const readEnds = async (context: EvidenceContext, stream: Stream, { from, to }: Span): Promise<TreeRecord[]> => {
  const ends: TreeRecord[] = [];
  for (const sequence of from > 1 ? [from - 1, to] : [to]) {
    const record = await readRecord(context, stream, sequence);
    if (record === undefined) throw refuseField('REQUEST_INVALID', 'to', 'is more than the asset has records');
    ends.push(record);
  }
  return ends;
};

/**
 * The parts of the file of a range of records of an asset. Rejects with REQUEST_INVALID when there are fewer, and as
 * `Coverage.cover` and `collectRecords` do.
 */
export const makeRangeParts = async (
  context: EvidenceContext,
  query: HistoryQuery,
  { from, to }: Span,
): Promise<FileParts> => {
  const stream = toStream(query);
  const { tenantKey } = stream;
  const ends = await readEnds(context, stream, { from, to });
  const last = ends.at(-1)!;
  const attestation = attestTree(toHex(tenantKey));
  const { size, place } = await context.coverage.cover(query, [attestation], (reach) =>
    proveRecordedTree(context, tenantKey, last, reach),
  );
  const leaves = await Promise.all(ends.map((end) => proveLeaf(context.trees, tenantKey, end, { size, root: 0 })));
  const before = from > 1 ? { before: ends[0]!.leaf.head } : {};
  const options = { isDisclosed: true, head: last.leaf.head, asker: query, ...before };
  const { records } = await collectRecords(context, stream, { from, to }, options);
  const { tenantIdentity, assetIdentity } = query;
  return {
    claim: { kind: 'range', tenant_identity: tenantIdentity, asset_identity: assetIdentity, from, to },
    records: await context.runSteps(toFileRecords(records)),
    leaves: toFileLeaves(ends.map(({ leaf }) => leaf)),
    blocks: [place.block],
    proofs: [place.proof, ...leaves],
  };
};
