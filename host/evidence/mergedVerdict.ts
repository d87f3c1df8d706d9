// The evidence of a verdict on an asset to which other tenants contributed.
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { refuseField } from '../../ledger/errors.ts';
import { Refuted } from '../../ledger/evidence/bundle/findings.ts';
import { findPolicy, judgeHistory } from '../../ledger/evidence/bundle/judgedRecords.ts';
import type { VerdictQuery } from '../../server/evidenceSource.ts';
import type { EvidenceContext } from './evidenceContext.ts';
import type { FileParts } from './evidenceFile.ts';
import { type MergedFile, makeMergedFile } from './mergedEvidence.ts';
import { toDisclosedRecord } from './ownRecords.ts';

const judge = ({ policyIdentity, atMs }: VerdictQuery, { sources, merged }: MergedFile): boolean => {
  const ofPolicy = sources.filter(({ stream, isEarly }) => stream.streamIdentity === policyIdentity && !isEarly);
  const disclosed = ofPolicy.map(({ tree }) => toDisclosedRecord(tree));
  try {
    const policy = findPolicy(disclosed, policyIdentity);
    const events = merged.map(({ event }) => event);
    return judgeHistory(policy, events, atMs).compliant;
  } catch (error) {
    // There is no verdict of this policy on this asset at this time.
    if (error instanceof Refuted) throw refuseField('REQUEST_INVALID', 'policy', error.message);
    throw error;
  }
};

/**
 * The parts of the file of a verdict on an asset to which other tenants contributed. Rejects with REQUEST_INVALID that
 * names `policy` when the policy isn't about the asset, and as `makeMergedFile`.
 */
export const makeMergedVerdictParts = async (context: EvidenceContext, query: VerdictQuery): Promise<FileParts> => {
  const { tenantIdentity, policyIdentity, atMs } = query;
  const file = await makeMergedFile(context, { tenantIdentity, isPublic: false }, query);
  const said = { policy_identity: policyIdentity, at: toTimestamp(atMs), compliant: judge(query, file) };
  return { claim: { kind: 'merged_verdict', ...file.claim, ...said }, ...file.parts };
};
