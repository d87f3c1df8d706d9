// A verdict of a compliance policy, from the records of the policy and of the asset.

import { toKey } from '../../identity.ts';
import { isSameBytes } from '../bytes.ts';
import type { DisclosedRecord, LeafProof } from './bundle.ts';
import type { ClaimOf } from './claim.ts';
import { assertLeaf, describeBlock, type ProvenBundle, requireHistory, toDigests, toDisclosed } from './claimChecks.ts';
import { assertProved, type EvidenceFinding, toProved } from './findings.ts';
import { decodeEvents, findPolicy, judgeEvent, judgeHistory } from './judgedRecords.ts';

const MS_PER_SECOND = 1_000;

// What the ledger had committed by the time of the verdict is then in the records.
const assertLaterBlocks = ({ logs }: ProvenBundle, atMs: number): void => {
  const atSeconds = Math.floor(atMs / MS_PER_SECOND);
  for (const log of logs) {
    const isLater = log === undefined || log.block.timeSeconds >= atSeconds;
    assertProved(isLater, 'verdict', `block ${log?.block.number} is from before the time of the verdict`);
  }
};

const assertEvent = (proven: ProvenBundle, tenantIdentity: string, digest: Uint8Array): void => {
  const [proof, leaf] = [proven.bundle.proofs[2] as LeafProof, proven.bundle.leaves[0]!];
  const isSame =
    leaf.sequence === proof.sequence && isSameBytes(leaf.head, proof.head) && isSameBytes(leaf.digest, digest);
  assertProved(isSame, 'content', 'the leaf is not that of the event');
  assertLeaf(proven, proof, toKey(tenantIdentity), leaf);
};

const describe = ({ policyIdentity, assetIdentity, at }: ClaimOf<'verdict'>, reason: string, block: number): string => {
  const complies = reason === '' ? 'complied' : 'did not comply';
  const because = reason === '' ? '' : `: ${reason}`;
  const which = `${assetIdentity} ${complies} with ${policyIdentity} at ${at}, at block ${block}`;
  return `${which}, by the records of its own tenant alone${because}`;
};

/** The records of the policy and of the asset, which the proofs lead to. */
interface ProvenRecords {
  readonly ofPolicy: readonly DisclosedRecord[];
  readonly ofAsset: readonly DisclosedRecord[];
  /** Whether they are all of the asset. */
  readonly isComplete: boolean;
}

const requireRecords = (proven: ProvenBundle, claim: ClaimOf<'verdict'>): ProvenRecords => {
  const { bundle, logs } = proven;
  const { tenantIdentity, policyIdentity, assetIdentity, policyCount } = claim;
  const [ofPolicy, ofAsset] = [bundle.records.slice(0, policyCount), bundle.records.slice(policyCount)];
  const policyNames = { tenantIdentity, streamIdentity: policyIdentity };
  requireHistory(logs[0], policyNames, toDigests(bundle, ofPolicy, policyNames));
  const assetNames = { tenantIdentity, streamIdentity: assetIdentity };
  const digests = toDigests(bundle, ofAsset, assetNames);
  const isComplete = bundle.proofs.length === 2;
  if (isComplete) requireHistory(logs[1], assetNames, digests);
  else assertEvent(proven, tenantIdentity, digests[0]!);
  return { ofPolicy, ofAsset, isComplete };
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
