// The evidence of an asset to which other tenants contributed: of its history, and of verdicts on it. Every record has
// a proof of its place, so that a verifier decides which contributions count, as the index does.
import { toBase64 } from '../../ledger/evidence/base64.ts';
import { findLackingBlob } from '../../ledger/evidence/bundle/mergedBlobs.ts';
import { concatBytes } from '../../ledger/evidence/bytes.ts';
import { toKey } from '../../ledger/identity.ts';
import type { MergedEvent } from '../../ledger/sharing/mergedHistory.ts';
import type { HistoryQuery } from '../../server/evidenceSource.ts';
import { toParty } from './answerMemory.ts';
import { type Asker, refusePending } from './coverage.ts';
import { assertSameCounted, type CountedRecords } from './effectiveRecords.ts';
import type { EvidenceContext } from './evidenceContext.ts';
import { type FileParts, refuseLargeFile, toFileLeaves, toFileRecords } from './evidenceFile.ts';
import { collectRecords } from './historyEvidence.ts';
import { findIndexed } from './mergedCandidates.ts';
import { type AttestedPart, type Covered, coverParts, type MergedQuery } from './mergedCoverage.ts';
import { isAsIndexed, type MergedPlan, mergeInPauses, planMerged } from './mergedPlan.ts';
import { placeTogether, proveLeaves, proveShared } from './mergedProofs.ts';
import { listContributions, MERGED_RECORDS_MAX, type MergedRecord, toSource } from './mergedStreams.ts';

const toPartsClaim = (parts: readonly AttestedPart[]) =>
  parts.map(({ stream: { tenantIdentity, streamIdentity }, attested: { count } }) => ({
    tenant_identity: tenantIdentity,
    identity: streamIdentity,
    count,
  }));

const readPart = (context: EvidenceContext, asker: Asker, isDisclosed: boolean, { stream, attested }: AttestedPart) => {
  const keys = { tenantKey: toKey(stream.tenantIdentity), streamKey: toKey(stream.streamIdentity) };
  return collectRecords(context, keys, { from: 1, to: attested.count }, { isDisclosed, head: attested.head, asker });
};

/** The parts of the file of the digests of an asset and of its contributions. */
const makeDigestParts = async (context: EvidenceContext, query: HistoryQuery): Promise<FileParts> => {
  const { tenantIdentity, assetIdentity } = query;
  const own = { tenantIdentity, streamIdentity: assetIdentity };
  const streams = [own, ...(await listContributions(context, query))];
  const { parts } = await coverParts(context, query, query, streams);
  const digests: Uint8Array[] = [];
  for (const part of parts) digests.push(...(await readPart(context, query, false, part)).digests);
  return {
    claim: {
      kind: 'merged_history',
      tenant_identity: tenantIdentity,
      asset_identity: assetIdentity,
      parts: toPartsClaim(parts),
    },
    digests: toBase64(concatBytes(digests)),
    ...placeTogether(parts.map(({ place }) => place)),
  };
};

/** The records of the file, in its order. */
interface Collected {
  readonly sources: readonly MergedRecord[];
  readonly merged: readonly MergedEvent<MergedRecord>[];
}

const toCountedRecords = (query: MergedQuery, sources: readonly MergedRecord[]): CountedRecords => {
  const listOf = (identity: string | undefined) =>
    sources
      .filter(({ stream }) => stream.tenantIdentity === query.tenantIdentity && stream.streamIdentity === identity)
      .map(({ tree }) => tree);
  return { ...query, ofAsset: listOf(query.assetIdentity), ofPolicy: listOf(query.policyIdentity) };
};

// Records may have come since the plan, which other streams decide on.
const collect = async (
  context: EvidenceContext,
  asker: Asker,
  query: MergedQuery,
  { parts }: Covered,
  { authors }: MergedPlan,
): Promise<Collected> => {
  const total = parts.reduce((sum, { attested }) => sum + attested.count, authors.length);
  if (total > MERGED_RECORDS_MAX) throw refuseLargeFile();
  const sources: MergedRecord[] = [];
  for (const part of parts) {
    const { records } = await readPart(context, asker, true, part);
    sources.push(...records.map((tree) => toSource(part.stream, tree)));
  }
  await assertSameCounted(context.trees, toCountedRecords(query, sources));
  sources.push(...authors.map(({ stream, tree }) => toSource(stream, tree, true)));
  const merged = await mergeInPauses(query, sources);
  const counted = new Set(merged.filter(({ granted }) => granted).map(({ placed }) => placed));
  const lacking = findLackingBlob(
    { tenantIdentity: query.tenantIdentity, parts: parts.map(({ stream }) => stream) },
    merged,
  );
  const isIndexed = isAsIndexed(counted, await findIndexed(context, sources));
  if (!isIndexed || lacking !== undefined) throw refusePending();
  return { sources, merged };
};

/** The parts of a file with the records of an asset and of its contributions. */
export interface MergedFile extends Collected {
  readonly parts: Omit<FileParts, 'claim'>;
  /** Members of its claim. */
  readonly claim: Readonly<Record<string, unknown>>;
}

const toAuthorsClaim = ({ authors }: MergedPlan) =>
  authors.length === 0
    ? {}
    : {
        authors: authors.map(({ stream }) => ({
          tenant_identity: stream.tenantIdentity,
          identity: stream.streamIdentity,
        })),
      };

/**
 * The parts of a file with the records of an asset and of its contributions. Rejects with EVIDENCE_INCOMPLETE when a
 * file can't show what counts, with RECORD_NOT_ALONE when a receipt that it needs shows further records, with
 * EVIDENCE_TOO_LARGE beyond 2,000 records, and as `Coverage.cover`.
 */
export const makeMergedFile = async (
  context: EvidenceContext,
  asker: Asker,
  query: MergedQuery,
): Promise<MergedFile> => {
  const plan = await context.runInTurn(toParty(asker), () => planMerged(context, query));
  const { tenantIdentity, assetIdentity, policyIdentity } = query;
  const policy = policyIdentity === undefined ? [] : [{ tenantIdentity, streamIdentity: policyIdentity }];
  const covered = await coverParts(context, asker, query, [...plan.streams, ...policy]);
  const collected = await collect(context, asker, query, covered, plan);
  const { sources } = collected;
  const shared = await proveShared(context, sources, covered);
  const logs = [...covered.parts, ...covered.trees].map(({ place }) => place);
  const { blocks, proofs } = placeTogether([...logs, ...shared]);
  const leaves = await context.runInTurn(toParty(asker), () => proveLeaves(context, sources, covered));
  return {
    ...collected,
    claim: {
      tenant_identity: tenantIdentity,
      asset_identity: assetIdentity,
      parts: toPartsClaim(covered.parts),
      ...toAuthorsClaim(plan),
    },
    parts: {
      records: await toFileRecords(sources.map(({ tree }) => tree)),
      leaves: toFileLeaves(sources.map(({ tree }) => tree.leaf)),
      blocks,
      proofs: [...proofs.slice(0, logs.length), ...leaves, ...proofs.slice(logs.length)],
    },
  };
};

/** The parts of the file of the history of an asset with contributions. Rejects as `makeMergedFile`. */
export const makeMergedHistoryParts = async (context: EvidenceContext, query: HistoryQuery): Promise<FileParts> => {
  if (!query.isDisclosed) return makeDigestParts(context, query);
  const { claim, parts, sources, merged } = await makeMergedFile(context, query, query);
  const indexes = new Map(sources.map((source, at) => [source, at] as const));
  const events = merged.map(({ placed }) => indexes.get(placed)!);
  return { claim: { kind: 'merged_history', ...claim, events }, ...parts };
};
