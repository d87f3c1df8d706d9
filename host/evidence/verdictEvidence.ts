// The evidence of a verdict: all records of the policy and of the asset, judged as the reader of the file judges them.
import type { TreeRecord } from '../../indexer/treeView.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { refuseField } from '../../ledger/errors.ts';
import type { DisclosedRecord } from '../../ledger/evidence/bundle/bundle.ts';
import { Refuted } from '../../ledger/evidence/bundle/findings.ts';
import { decodeEvents, findPolicy, judgeHistory } from '../../ledger/evidence/bundle/judgedRecords.ts';
import { toKey } from '../../ledger/identity.ts';
import type { VerdictQuery } from '../../server/evidenceSource.ts';
import type { Reach } from './coverage.ts';
import type { EvidenceContext } from './evidenceContext.ts';
import { type FileParts, refuseLargeFile, toFileRecord } from './evidenceFile.ts';
import { collectRecords, findStream } from './historyEvidence.ts';

/** They are judged without a pause: some 50 ms. */
const RECORDS_MAX = 2_000;

const toDisclosedRecord = ({ author, payload, recordKey: key }: TreeRecord): DisclosedRecord => ({
  author,
  payload,
  key,
});

const judge = (
  { policyIdentity, assetIdentity, atMs }: VerdictQuery,
  ofPolicy: readonly TreeRecord[],
  ofAsset: readonly TreeRecord[],
): boolean => {
  try {
    const policy = findPolicy(ofPolicy.map(toDisclosedRecord), policyIdentity);
    return judgeHistory(policy, decodeEvents(ofAsset.map(toDisclosedRecord), assetIdentity), atMs).compliant;
  } catch (error) {
    // There is no verdict of this policy on this asset at this time.
    if (error instanceof Refuted) throw refuseField('REQUEST_INVALID', 'policy', error.message);
    throw error;
  }
};

const assertSmall = (count: number): void => {
  if (count > RECORDS_MAX) throw refuseLargeFile();
};

/**
 * The parts of the file of a verdict on an asset under a policy. Rejects with REQUEST_INVALID that names `policy` when
 * the policy isn't about the asset, with EVIDENCE_TOO_LARGE beyond 2,000 records, and as `Coverage.cover` does.
 */
export const makeVerdictParts = async (context: EvidenceContext, query: VerdictQuery): Promise<FileParts> => {
  const { tenantIdentity, policyIdentity, assetIdentity, atMs } = query;
  const tenantKey = toKey(tenantIdentity);
  const streams = [policyIdentity, assetIdentity].map((identity) => ({ tenantKey, streamKey: toKey(identity) }));
  const find = async (stream: (typeof streams)[number], reach: Reach) => {
    const attested = await findStream(context, stream, reach);
    if (attested === undefined) return undefined;
    const proven = await context.logProofs.prove(attested, reach.head);
    // What was committed by the time of the verdict must be in the records.
    return proven.timeSeconds >= Math.floor(atMs / 1_000) ? { stream, attested, ...proven } : undefined;
  };
  const names = streams.map(({ streamKey }) => toHex(streamKey));
  const attestation = { tenant: toHex(tenantKey), streams: names, ids: [], accounts: [] };
  const histories = await context.coverage.cover({ tenantIdentity, isPublic: false }, [attestation], async (reach) => {
    const found = await Promise.all(streams.map((stream) => find(stream, reach)));
    return found.includes(undefined) ? undefined : found.map((history) => history!);
  });
  const collected: (readonly TreeRecord[])[] = [];
  for (const { stream, attested } of histories) {
    assertSmall(attested.count);
    const wanted = { isDisclosed: true, head: attested.head };
    collected.push((await collectRecords(context, stream, { from: 1, to: attested.count }, wanted)).records);
  }
  const [ofPolicy, ofAsset] = collected as [readonly TreeRecord[], readonly TreeRecord[]];
  const headers = [...new Set(histories.map(({ block }) => block.header))];
  return {
    claim: {
      kind: 'verdict',
      policy_identity: policyIdentity,
      asset_identity: assetIdentity,
      tenant_identity: tenantIdentity,
      at: toTimestamp(atMs),
      compliant: judge(query, ofPolicy, ofAsset),
      policy_count: ofPolicy.length,
      count: ofAsset.length,
    },
    records: [...ofPolicy, ...ofAsset].map(toFileRecord),
    blocks: headers.map((header) => histories.find(({ block }) => block.header === header)!.block),
    proofs: histories.map(({ block, proof }) => ({ ...proof, block: headers.indexOf(block.header) })),
  };
};
