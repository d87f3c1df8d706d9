// A verdict of a compliance policy, from the records of the policy and of the asset.
import type { DisclosedRecord } from './bundle.ts';
import type { ClaimOf } from './claim.ts';
import { describeBlock, type ProvenBundle, requireHistory, toDigests, toDisclosed } from './claimChecks.ts';
import { assertProved, type EvidenceFinding, toProved } from './findings.ts';
import { decodeEvents, findPolicy, judgeEvent, judgeHistory } from './judgedRecords.ts';
import { assertOwnRecords, requireLeaves } from './ownRecords.ts';

const MS_PER_SECOND = 1_000;

// What the ledger had committed by the time of the verdict is then in the records.
const assertLaterBlocks = ({ logs }: ProvenBundle, atMs: number): void => {
  const atSeconds = Math.floor(atMs / MS_PER_SECOND);
  for (const log of logs) {
    const isLater = log === undefined || log.block.timeSeconds >= atSeconds;
    assertProved(isLater, 'verdict', `block ${log?.block.number} is from before the time of the verdict`);
  }
};

const describe = (
  { policyIdentity, assetIdentity, at, own }: ClaimOf<'verdict'>,
  reason: string,
  block: number,
): string => {
  const complies = reason === '' ? 'complied' : 'did not comply';
  const because = reason === '' ? '' : `: ${reason}`;
  const which = `${assetIdentity} ${complies} with ${policyIdentity} at ${at}, at block ${block}`;
  const from =
    own === undefined ? ', which the file counts from the first one on' : ", from the tenant's own record on";
  return `${which}, by the records of its own tenant alone${from}${because}`;
};

/** The records of the policy and of the asset, which the proofs lead to. */
interface ProvenRecords {
  /** Those that have an effect. */
  readonly ofPolicy: readonly DisclosedRecord[];
  readonly ofAsset: readonly DisclosedRecord[];
  /** Whether the file has all of the asset. */
  readonly isComplete: boolean;
}

const requireRecords = (proven: ProvenBundle, claim: ClaimOf<'verdict'>): ProvenRecords => {
  const { bundle, logs } = proven;
  const { tenantIdentity, policyIdentity, assetIdentity, policyCount, count, own } = claim;
  const [ofPolicy, ofAsset] = [bundle.records.slice(0, policyCount), bundle.records.slice(policyCount)];
  const ofTenant = ofAsset.splice(count);
  const policyNames = { tenantIdentity, streamIdentity: policyIdentity };
  const assetNames = { tenantIdentity, streamIdentity: assetIdentity };
  const digests = {
    ofPolicy: toDigests(bundle, ofPolicy, policyNames),
    ofAsset: toDigests(bundle, ofAsset, assetNames),
  };
  requireHistory(logs[0], policyNames, digests.ofPolicy);
  const isAlone = bundle.proofs[2]?.kind === 'leaf';
  if (!isAlone) requireHistory(logs[1], assetNames, digests.ofAsset);
  if (own !== undefined) assertOwnRecords(proven, { tenantIdentity, own, ofTenant, ...digests, isAlone });
  else if (isAlone) requireLeaves(proven, tenantIdentity, [{ digest: digests.ofAsset[0]! }]);
  return {
    ofPolicy: ofPolicy.slice((own?.policyFrom ?? 1) - 1),
    ofAsset: ofAsset.slice((own?.from ?? 1) - 1),
    isComplete: !isAlone,
  };
};

/**
 * The verdict is that of the ledger's judge over the proven records.
 * @throws Refuted when it isn't, or the records are others.
 */
export const checkVerdict = (proven: ProvenBundle, claim: ClaimOf<'verdict'>): EvidenceFinding[] => {
  const { policyIdentity, assetIdentity, compliant, at } = claim;
  const { ofPolicy, ofAsset, isComplete } = requireRecords(proven, claim);
  const atMs = Date.parse(at);
  assertLaterBlocks(proven, atMs);
  const judge = isComplete ? judgeHistory : judgeEvent;
  const verdict = judge(findPolicy(ofPolicy, policyIdentity), decodeEvents(ofAsset, assetIdentity), atMs);
  const found = verdict.compliant ? 'the asset complies' : verdict.reason;
  assertProved(verdict.compliant === compliant, 'verdict', `the judge finds otherwise: ${found}`);
  const { block } = proven.logs[1]!;
  return [
    ...toDisclosed(proven.bundle.records),
    ...(isComplete
      ? [
          toProved(
            'completeness',
            `the records are all that its own tenant has of ${assetIdentity} at ${describeBlock(block)}`,
          ),
        ]
      : []),
    toProved('verdict', describe(claim, verdict.reason, block.number)),
  ];
};
