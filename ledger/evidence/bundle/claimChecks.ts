// What the checks of all kinds of claims have in common.
import { toChecksumAddress } from '../../encoding/address.ts';
import { advanceHead, EMPTY_HEAD, toDomainSeparator, toRecordDigest } from '../../encoding/digest.ts';
import { toBlockTimestamp } from '../../encoding/timestamp.ts';
import { toKey } from '../../identity.ts';
import { type EventClaim, findUncheckable, hasNoPrincipal, parseEventClaim } from '../../verification.ts';
import { isSameBytes } from '../bytes.ts';
import { isIncluded } from '../merkleProof.ts';
import { hashLeaf } from '../merkleTree.ts';
import { encodeRecordLeaf, type RecordLeaf } from '../recordLeaf.ts';
import { assertReadable } from '../unreadableEvidence.ts';
import type { Bundle, DisclosedRecord, LeafProof } from './bundle.ts';
import { assertProved, type EvidenceFinding, type Question, Refuted, toProved } from './findings.ts';
import type { HashedBlock, ProvenLog } from './provenParts.ts';

/** The parts of a file whose logs are proven. */
export interface ProvenBundle {
  readonly bundle: Bundle;
  /** For each proof its log; undefined for leaves. */
  readonly logs: readonly (ProvenLog | undefined)[];
}

/** A stream of a tenant. */
export interface StreamNames {
  readonly tenantIdentity: string;
  readonly streamIdentity: string;
}

/** The last second that a Date can have; a header may have a later one. */
const DATE_SECONDS_MAX = 8.64e12;

/** A block with its time, as answers name it: newer records may follow it. */
export const describeBlock = ({ number, timeSeconds }: Pick<HashedBlock, 'number' | 'timeSeconds'>): string =>
  `block ${number} of ${timeSeconds > DATE_SECONDS_MAX ? `second ${timeSeconds}` : toBlockTimestamp(timeSeconds)}`;

/** @throws UnreadableEvidence when this isn't the JSON of a committed event with all of its fields. */
const assertCheckable = (event: unknown): void => {
  const reason = findUncheckable(event);
  assertReadable(reason === undefined, reason!);
};

/**
 * Asserts that an event that was refuted has all that the ledger commits to.
 * @throws UnreadableEvidence when it doesn't say who recorded it: then nothing is known of the rest.
 */
export const assertWhole = (event: unknown): void =>
  assertReadable(
    !hasNoPrincipal(event),
    'it lacks who declared and accepted it, as an event that is read without a token or as another tenant. Check it as its own tenant reads it, or check the evidence of its asset',
  );

/**
 * The claim of the JSON of an event, also of one that its tenant contributed to an asset of another one.
 * @throws Refuted when the ledger commits to nothing of that form, or the author's address has a wrong checksum, and
 * UnreadableEvidence when it can't be checked.
 */
export const requireEventClaim = (event: unknown): EventClaim => {
  assertCheckable(event);
  const claim = parseEventClaim(event);
  if (typeof claim === 'string') throw new Refuted('content', claim);
  const isAddress = toChecksumAddress(claim.from.toLowerCase()) === claim.from;
  assertProved(isAddress, 'author', 'from is not an address with a right checksum');
  return claim;
};

/** The log of this event for a tenant and, where it has one, a key. @throws Refuted for another log. */
export const requireLog = <E extends ProvenLog['log']['event']>(
  found: ProvenLog | undefined,
  event: E,
  { tenant, key }: { tenant: Uint8Array; key?: Uint8Array },
  question: Question,
): ProvenLog & { readonly log: Extract<ProvenLog['log'], { event: E }> } => {
  const log = found?.log;
  const isMeant = log?.event === event && isSameBytes(log.tenant, tenant);
  const isKey = key === undefined || (log !== undefined && 'key' in log && isSameBytes(log.key, key));
  assertProved(isMeant && isKey, question, `the proven log is no ${event} of what the claim names`);
  return found as ProvenLog & { readonly log: Extract<ProvenLog['log'], { event: E }> };
};

/** @throws Refuted unless the leaf is in the tree of the log that its proof names. */
export const assertLeaf = ({ logs }: ProvenBundle, proof: LeafProof, tenant: Uint8Array, leaf: RecordLeaf): void => {
  const { log } = requireLog(logs[proof.root], 'TenantAttested', { tenant }, 'content');
  const hash = hashLeaf(encodeRecordLeaf(leaf));
  const isThere = proof.index < log.size && isIncluded({ index: proof.index, hash }, proof.path, log);
  assertProved(isThere, 'content', `the tenant's tree has no such leaf ${proof.index}`);
};

/**
 * The complete history of a stream, with its number of records and the head that they lead to.
 * @throws Refuted when the contract has logged another one.
 */
export const requireHistory = (
  found: ProvenLog | undefined,
  { tenantIdentity, streamIdentity }: StreamNames,
  digests: readonly Uint8Array[],
): ProvenLog => {
  const named = { tenant: toKey(tenantIdentity), key: toKey(streamIdentity) };
  const proven = requireLog(found, 'StreamAttested', named, 'completeness');
  const { count, hash } = proven.log;
  const isAll = count === digests.length && isSameBytes(hash, digests.reduce(advanceHead, EMPTY_HEAD));
  assertProved(isAll, 'completeness', `the records are not the complete history of ${streamIdentity}`);
  return proven;
};

/** Digests of records of a stream. */
export const toDigests = (
  { ledger }: Bundle,
  records: readonly DisclosedRecord[],
  { tenantIdentity, streamIdentity }: StreamNames,
): Uint8Array[] => {
  const separator = toDomainSeparator(ledger);
  const [tenantKey, streamKey] = [toKey(tenantIdentity), toKey(streamIdentity)];
  return records.map(({ key, author, payload }) =>
    toRecordDigest(separator, { tenantKey, streamKey, recordKey: key, author, payload }),
  );
};

/** What records prove whose digests are proven. */
export const toDisclosed = (records: readonly DisclosedRecord[]): EvidenceFinding[] =>
  records.length === 0
    ? []
    : [
        toProved('content', 'the content of every record is under its digest'),
        toProved('author', 'the author of every record is under its digest'),
      ];
