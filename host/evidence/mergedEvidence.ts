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
import type { EvidenceContext } from './evidenceContext.ts';
import { type FileParts, refuseLargeFile, toFileLeaves, toFileRecords } from './evidenceFile.ts';
import { collectRecords } from './historyEvidence.ts';
import { findIndexed } from './mergedCandidates.ts';
import { type AttestedPart, type Covered, coverParts, type MergedQuery } from './mergedCoverage.ts';
import { type AuthorRecord, isAsIndexed, type MergedPlan, mergeInPauses, planMerged } from './mergedPlan.ts';
import { placeTogether, proveLeaves, proveShared } from './mergedProofs.ts';
import { listContributions, MERGED_RECORDS_MAX, type MergedRecord, toAuthorSource, toSource } from './mergedStreams.ts';
import { readOwnRecords } from './ownRecords.ts';

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

/** The first records of a tenant's own stream, up to its own record. */
interface OwnSources {
  readonly tenantIdentity: string;
  readonly sources: readonly MergedRecord[];
}

/** The records of the file. */
interface Collected {
  /** All, in the order of the file: those of the parts first. */
  readonly sources: readonly MergedRecord[];
  readonly authors: readonly MergedRecord[];
  readonly own: readonly OwnSources[];
  readonly merged: readonly MergedEvent<MergedRecord>[];
}

// Of each tenant of whose records some would have an effect that are from before its own record.
const readOwn = async ({ trees }: EvidenceContext, sources: readonly MergedRecord[]): Promise<OwnSources[]> => {
  const early = sources.filter(({ isEarly, record }) => isEarly && record !== undefined);
  const found: OwnSources[] = [];
  for (const tenantIdentity of new Set(early.map((source) => source.tenantIdentity))) {
    const stream = { tenantIdentity, streamIdentity: tenantIdentity };
    const records = await readOwnRecords(trees, tenantIdentity, await trees.findOwnRecord(toKey(tenantIdentity)));
    found.push({ tenantIdentity, sources: records.map((tree) => toAuthorSource(stream, tree)) });
  }
  return found;
};

// A record that is there twice would count as two of its transaction.
const listAuthors = ({ authors }: MergedPlan, own: readonly OwnSources[]): MergedRecord[] => {
  const isShown = ({ stream, tree }: AuthorRecord): boolean =>
    own.some(
      ({ tenantIdentity, sources }) =>
        tenantIdentity === stream.tenantIdentity && sources.some((one) => one.tree.index === tree.index),
    );
  return authors.filter((author) => !isShown(author)).map(({ stream, tree }) => toAuthorSource(stream, tree));
};

// Records may have come since the plan, which other streams decide on.
const collect = async (
  context: EvidenceContext,
  asker: Asker,
  query: MergedQuery,
  { parts }: Covered,
  plan: MergedPlan,
): Promise<Collected> => {
  const total = parts.reduce((sum, { attested }) => sum + attested.count, plan.authors.length);
  if (total > MERGED_RECORDS_MAX) throw refuseLargeFile();
  const ofParts: MergedRecord[] = [];
  for (const part of parts) {
    const { records } = await readPart(context, asker, true, part);
    const begin = await context.trees.findOwnRecord(toKey(part.stream.tenantIdentity));
    ofParts.push(...records.map((tree) => toSource(part.stream, tree, begin)));
  }
  const own = await readOwn(context, ofParts);
  const authors = listAuthors(plan, own);
  const sources = [...ofParts, ...authors, ...own.flatMap((one) => one.sources)];
  if (sources.length > MERGED_RECORDS_MAX) throw refuseLargeFile();
  const merged = await mergeInPauses(query, sources);
  const counted = new Set(merged.filter(({ granted }) => granted).map(({ placed }) => placed));
  const lacking = findLackingBlob(
    { tenantIdentity: query.tenantIdentity, parts: parts.map(({ stream }) => stream) },
    merged,
  );
  const isIndexed = isAsIndexed(counted, await findIndexed(context, sources));
  if (!isIndexed || lacking !== undefined) throw refusePending();
  return { sources, merged, authors, own };
};

/** The parts of a file with the records of an asset and of its contributions. */
export interface MergedFile extends Collected {
  readonly parts: Omit<FileParts, 'claim'>;
  /** Members of its claim. */
  readonly claim: Readonly<Record<string, unknown>>;
}

const toFurtherClaim = ({ authors, own }: Collected) => ({
  ...(authors.length === 0
    ? {}
    : {
        authors: authors.map(({ stream }) => ({
          tenant_identity: stream.tenantIdentity,
          identity: stream.streamIdentity,
        })),
      }),
  ...(own.length === 0
    ? {}
    : {
        own_records: own.map(({ tenantIdentity, sources }) => ({
          tenant_identity: tenantIdentity,
          count: sources.length,
        })),
      }),
});

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
      ...toFurtherClaim(collected),
    },
    parts: {
      records: await context.runSteps(toFileRecords(sources.map(({ tree }) => tree))),
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
