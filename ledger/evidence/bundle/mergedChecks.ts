// What the proven records of an asset's owner and of other tenants say of the asset: which events it has, and whether
// it complied with a policy.
import { type MergedEvent, mergeHistory } from '../../sharing/mergedHistory.ts';
import { describeBlock, type ProvenBundle, toDisclosed } from './claimChecks.ts';
import { assertProved, type EvidenceFinding, toProved } from './findings.ts';
import { findPolicy, judgeHistory } from './judgedRecords.ts';
import { findLackingBlob } from './mergedBlobs.ts';
import { isContributions, type MergedHistoryClaim, type MergedParts, type MergedVerdictClaim } from './mergedClaim.ts';
import { type FilePlacedRecord, requireMergedRecords, requireParts } from './mergedRecords.ts';
import type { HashedBlock } from './provenParts.ts';

const MS_PER_SECOND = 1_000;

/** What no file shows of an asset to which others contributed. */
const UNKNOWN =
  'whether further tenants contributed, and whether what is not in the file grants or forbids more, is not proved';

// The maker of a file may leave out the own record of a tenant, and with it what it rules out.
const describeRecords = ({ parts, own }: MergedParts): string => {
  const without = new Set(parts.map(({ tenantIdentity }) => tenantIdentity)).size - own.length;
  const from =
    without === 0
      ? "from each tenant's own record on"
      : `which the file counts from the first one on for ${without} of its tenants`;
  return `by the records in this file alone, ${from}`;
};

const describeParts = (claim: MergedParts, block: HashedBlock): string => {
  const others = claim.parts.filter((part) => isContributions(claim, part));
  const contributed = others.reduce((sum, { count }) => sum + count, 0);
  return (
    `the records, ${claim.parts[0]!.count} of the owner and ${contributed} of ${others.length} contributors, are all that ` +
    `these have of ${claim.assetIdentity} before ${describeBlock(block)}`
  );
};

const checkParts = (proven: ProvenBundle, claim: MergedHistoryClaim): EvidenceFinding[] => {
  let at = 0;
  const digests = claim.parts.map(({ count }) => {
    at += count;
    return proven.bundle.digests.slice(at - count, at);
  });
  const block = requireParts(proven, claim, digests);
  const text = `${describeParts(claim, block)}; which contributions count is not shown, and ${UNKNOWN}`;
  return [toProved('completeness', text)];
};

const mergeShown = (
  claim: MergedParts,
  placed: readonly FilePlacedRecord[],
): readonly MergedEvent<FilePlacedRecord>[] => {
  const merged = mergeHistory(claim, placed);
  const blob = findLackingBlob(claim, merged);
  assertProved(blob === undefined, 'completeness', `the file doesn't show whether the owner has ${blob}`);
  return merged;
};

/**
 * The parts of the history are complete, and with records the events are those that the owner's policies let in.
 * @throws Refuted when a part isn't complete, or the records lead to other events.
 */
export const checkMergedHistory = (proven: ProvenBundle, claim: MergedHistoryClaim): EvidenceFinding[] => {
  if (claim.events === undefined) return checkParts(proven, claim);
  const { placed, block } = requireMergedRecords(proven, claim);
  const merged = mergeShown(claim, placed);
  const isSame =
    merged.length === claim.events.length && merged.every(({ placed: { index } }, at) => index === claim.events![at]);
  assertProved(isSame, 'completeness', 'the records lead to other events of the asset');
  const counted = merged.filter(({ granted }) => granted !== undefined).length;
  const shown = `${describeRecords(claim)}, ${counted} contributions count`;
  const text = `${describeParts(claim, block)}; ${shown}; ${UNKNOWN}`;
  return [...toDisclosed(proven.bundle.records), toProved('completeness', text)];
};

// A contribution in a later block is accepted after the time of the verdict.
const assertLater = ({ logs }: ProvenBundle, { parts }: MergedParts, atMs: number): void => {
  const early = logs.slice(0, parts.length).find((log) => MS_PER_SECOND * log!.block.timeSeconds <= atMs);
  assertProved(early === undefined, 'verdict', `block ${early?.block.number} is not after the time of the verdict`);
};

/**
 * The verdict is that of the ledger's judge over the merged history.
 * @throws Refuted when it isn't, or the records are others.
 */
export const checkMergedVerdict = (proven: ProvenBundle, claim: MergedVerdictClaim): EvidenceFinding[] => {
  const { policyIdentity, assetIdentity, parts, at, compliant } = claim;
  const { placed, ofParts, block } = requireMergedRecords(proven, claim);
  const atMs = Date.parse(at);
  assertLater(proven, claim, atMs);
  const policyAt = parts.findIndex(({ streamIdentity }) => streamIdentity === policyIdentity);
  const events = mergeShown(claim, placed).map(({ event }) => event);
  const verdict = judgeHistory(findPolicy(ofParts[policyAt]!, policyIdentity), events, atMs);
  const found = verdict.compliant ? 'the asset complies' : verdict.reason;
  assertProved(verdict.compliant === compliant, 'verdict', `the judge finds otherwise: ${found}`);
  const complies = verdict.compliant ? 'complied' : 'did not comply';
  const because = verdict.compliant ? '' : `: ${verdict.reason}`;
  return [
    ...toDisclosed(proven.bundle.records),
    toProved('completeness', `${describeParts(claim, block)}; ${UNKNOWN}`),
    toProved(
      'verdict',
      `${describeRecords(claim)}, ${assetIdentity} ${complies} with ${policyIdentity} at ${at}${because}`,
    ),
  ];
};
