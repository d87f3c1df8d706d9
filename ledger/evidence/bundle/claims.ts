// What the proven logs and leaves of an evidence file say of its claim.
import { advanceHead, EMPTY_HEAD, toDomainSeparator, toRecordDigest } from '../../encoding/digest.ts';
import { toHex } from '../../encoding/hex.ts';
import { toBlockTimestamp } from '../../encoding/timestamp.ts';
import { toKey, toStreamIdentity } from '../../identity.ts';
import { isAttach } from '../../records/event.ts';
import { type EventClaim, parseEventClaim } from '../../verification.ts';
import { isSameBytes } from '../bytes.ts';
import type { Bundle, LeafProof } from './bundle.ts';
import type { ClaimOf } from './claim.ts';
import {
  assertLeaf,
  describeBlock,
  type ProvenBundle,
  requireEventClaim,
  requireHistory,
  requireLog,
  toDigests,
  toDisclosed,
} from './claimChecks.ts';
import { assertProved, type EvidenceFinding, toProved } from './findings.ts';
import { checkMergedHistory, checkMergedVerdict } from './mergedChecks.ts';
import { checkTenant } from './tenantClaim.ts';
import { checkVerdict } from './verdictClaim.ts';

const toDigest = ({ ledger }: Bundle, { content }: EventClaim): Uint8Array =>
  toRecordDigest(toDomainSeparator(ledger), content);

const readPlace = (event: unknown): { blockNumber: number; blockTimeSeconds: number } => {
  const { block_number, timestamp_committed } = event as Record<string, unknown>;
  const blockTimeSeconds = Date.parse(String(timestamp_committed)) / 1_000;
  const isTime = Number.isSafeInteger(blockTimeSeconds) && toBlockTimestamp(blockTimeSeconds) === timestamp_committed;
  assertProved(isTime, 'position', 'timestamp_committed is not the time of a block');
  const isNumber = typeof block_number === 'number' && Number.isSafeInteger(block_number) && block_number >= 0;
  assertProved(isNumber, 'position', 'block_number is not the number of a block');
  return { blockNumber: block_number, blockTimeSeconds };
};

// Whether a contribution is an event of the asset follows from other records.
const describeRecord = ({ record }: EventClaim, sequence: number): string =>
  record.type === 'contribution'
    ? `contribution ${sequence} of its tenant to the asset; that it counts there is not proved`
    : `record ${sequence} of its asset`;

const describeEvent = (claim: EventClaim, digest: Uint8Array, place: string): EvidenceFinding[] => {
  const exception = isAttach(claim.record) ? ' (save asset_attributes/arc_attachments, which its history decides)' : '';
  return [
    toProved('content', `every committed field of the event is under its digest ${toHex(digest)}${exception}`),
    toProved('author', `${claim.from} is in the same digest`),
    toProved('position', place),
  ];
};

// The record's own log.
const checkLoggedEvent = (proven: ProvenBundle, claim: EventClaim, event: unknown): EvidenceFinding[] => {
  const digest = toDigest(proven.bundle, claim);
  const { tenantKey: tenant } = claim.content;
  const { log, block, transaction } = requireLog(proven.logs[0], 'RecordAppended', { tenant }, 'content');
  assertProved(isSameBytes(log.digest, digest), 'content', 'the log is of another record');
  const { blockNumber, blockTimeSeconds } = readPlace(event);
  const isPlace =
    blockNumber === block.number &&
    blockTimeSeconds === block.timeSeconds &&
    (event as { transaction_index?: unknown }).transaction_index === transaction;
  assertProved(isPlace, 'position', 'block_number, timestamp_committed or transaction_index are not those of the log');
  const place = `${describeRecord(claim, log.sequence)}, transaction ${transaction} of block ${block.number}`;
  return describeEvent(claim, digest, place);
};

// A leaf of the tenant's tree, whose root a later log has.
const checkLeafOfEvent = (proven: ProvenBundle, claim: EventClaim, event: unknown): EvidenceFinding[] => {
  const proof = proven.bundle.proofs[1] as LeafProof;
  const digest = toDigest(proven.bundle, claim);
  const { sequence, head, index } = proof;
  const leaf = { digest, head, sequence, ...readPlace(event) };
  assertLeaf(proven, proof, claim.content.tenantKey, leaf);
  const place = `${describeRecord(claim, sequence)}, leaf ${index} of the tenant's tree, block ${leaf.blockNumber}`;
  return describeEvent(claim, digest, place);
};

const checkEvent = (proven: ProvenBundle, { event }: ClaimOf<'event'>): EvidenceFinding[] => {
  const claim = requireEventClaim(event);
  return proven.bundle.proofs.length === 1
    ? checkLoggedEvent(proven, claim, event)
    : checkLeafOfEvent(proven, claim, event);
};

const checkHistory = ({ bundle, logs }: ProvenBundle, claim: ClaimOf<'history'>): EvidenceFinding[] => {
  const { tenantIdentity, assetIdentity, count } = claim;
  const names = { tenantIdentity, streamIdentity: assetIdentity };
  const digests = bundle.records.length > 0 ? toDigests(bundle, bundle.records, names) : bundle.digests;
  const { block } = requireHistory(logs[0], names, digests);
  const text = `${count} records are all that its own tenant has of ${assetIdentity} at ${describeBlock(block)}`;
  return [...toDisclosed(bundle.records), toProved('completeness', text)];
};

// Leaves don't name their stream: only the digests of disclosed records do.
const checkRange = (
  proven: ProvenBundle,
  { tenantIdentity, assetIdentity, from, to }: ClaimOf<'range'>,
): EvidenceFinding[] => {
  const hasStart = from > 1;
  const { leaves, proofs, records } = proven.bundle;
  for (const [at, leaf] of leaves.entries()) {
    const proof = proofs[at + 1] as LeafProof;
    const isSame = leaf.sequence === proof.sequence && isSameBytes(leaf.head, proof.head);
    assertProved(isSame, 'position', `leaf ${at} differs from its proof`);
    assertLeaf(proven, proof, toKey(tenantIdentity), leaf);
  }
  const [start, end] = [hasStart ? leaves[0]! : { head: EMPTY_HEAD, sequence: 0 }, leaves.at(-1)!];
  const digests = toDigests(proven.bundle, records, { tenantIdentity, streamIdentity: assetIdentity });
  const isRange = start.sequence === from - 1 && end.sequence === to;
  const isLinked = isSameBytes(digests.reduce(advanceHead, start.head), end.head);
  const isEnd = isSameBytes(digests.at(-1)!, end.digest);
  assertProved(isRange && isLinked && isEnd, 'completeness', 'the records are not all of the range');
  const text = `records ${from} to ${to} that its own tenant has of ${assetIdentity}, without a gap`;
  return [...toDisclosed(records), toProved('completeness', text)];
};

const checkAbsence = (proven: ProvenBundle, { tenantIdentity, identity }: ClaimOf<'absence'>): EvidenceFinding[] => {
  const event = toStreamIdentity(identity) === undefined ? 'StreamAttested' : 'RecordAttested';
  const named = { tenant: toKey(tenantIdentity), key: toKey(identity) };
  const { log, block } = requireLog(proven.logs[0], event, named, 'absence');
  assertProved(log.count === 0, 'absence', `the ledger has ${identity} at block ${block.number}`);
  return [toProved('absence', `the tenant has no ${identity} at ${describeBlock(block)}`)];
};

// The place of a record's own log is proven with its transaction; a leaf has only the block.
const NEVER_COVERED = ['transaction_id', 'log_index'];

/** Members of an event's JSON that no proof of the file reaches. */
export const listUncovered = ({ claim, proofs }: Bundle): string[] => {
  const event = claim.kind === 'event' ? parseEventClaim(claim.event) : '';
  if (typeof event === 'string') return [];
  const attachments = event.shownAttachments === undefined ? [] : ['asset_attributes/arc_attachments'];
  const place = proofs.length === 1 ? NEVER_COVERED : [...NEVER_COVERED, 'transaction_index'];
  return [...place, ...attachments, ...event.unknownFields];
};

/**
 * What the file proves of its claim, under its blocks.
 * @param leaves bytes of the file with the leaves of a tenant's list.
 * @throws Refuted when a part contradicts the claim, UnreadableEvidence for bytes that encode nothing.
 */
export const checkClaim = async (
  proven: ProvenBundle,
  leaves: AsyncIterable<Uint8Array>,
): Promise<EvidenceFinding[]> => {
  const { claim } = proven.bundle;
  switch (claim.kind) {
    case 'event':
      return checkEvent(proven, claim);
    case 'history':
      return checkHistory(proven, claim);
    case 'range':
      return checkRange(proven, claim);
    case 'absence':
      return checkAbsence(proven, claim);
    case 'tenant':
      return checkTenant(proven, claim, leaves);
    case 'verdict':
      return checkVerdict(proven, claim);
    case 'merged_history':
      return checkMergedHistory(proven, claim);
    case 'merged_verdict':
      return checkMergedVerdict(proven, claim);
  }
};
