// Judges again: the policy and the asset that records of an evidence file lead to, and the verdict of the ledger's
// judge (docs/evidence-format.md). Whether the records are those of the ledger is for others.
import { foldAttributes } from '../../assets/asset.ts';
import { isAbout } from '../../compliance/filterMatch.ts';
import { evaluate } from '../../compliance/judge.ts';
import { type PolicyEvent, type PolicyHistory, toPolicyNames } from '../../compliance/policyEvent.ts';
import { finish } from '../../compliance/steps.ts';
import type { Verdict } from '../../compliance/verdict.ts';
import { toHex } from '../../encoding/hex.ts';
import { toKey } from '../../identity.ts';
import { type EventRecord, isCreation } from '../../records/event.ts';
import type { PolicyRecord } from '../../records/policy.ts';
import { decodeKeyedPayload, type LedgerRecord, PAYLOAD_BYTES_MAX } from '../../records/record.ts';
import { isReplacing } from '../../records/version.ts';
import { isOwnRecord } from '../../tenancy/ownRecord.ts';
import type { DisclosedRecord } from './bundle.ts';
import { assertProved } from './findings.ts';

/** The records of one stream that are records to the ledger: a writer can put any bytes on the chain. */
const decodeStream = (records: readonly DisclosedRecord[], streamIdentity: string): LedgerRecord[] => {
  const streamKey = toHex(toKey(streamIdentity));
  return records.flatMap(({ payload, key }) => {
    if (payload.length > PAYLOAD_BYTES_MAX) return [];
    return decodeKeyedPayload(payload, { streamKey, recordKey: toHex(key) }) ?? [];
  });
};

/** The position of the tenant's own record among the first records of its stream, from 1; 0 if it isn't there. */
export const findOwnPosition = (records: readonly DisclosedRecord[], tenantIdentity: string): number =>
  records.findIndex((record) => decodeStream([record], tenantIdentity).some(isOwnRecord)) + 1;

/** The version of a policy that holds after the records of its stream, which may delete it; undefined if none does. */
export const findHeldPolicy = (records: readonly DisclosedRecord[], policyIdentity: string): PolicyRecord | undefined =>
  decodeStream(records, policyIdentity)
    .filter((record) => record.type === 'policy')
    .reduce<PolicyRecord | undefined>((last, record) => (isReplacing(record, last) ? record : last), undefined);

/**
 * The policy that the records of its stream lead to.
 * @throws Refuted when there is none, or it is deleted.
 */
export const findPolicy = (records: readonly DisclosedRecord[], policyIdentity: string): PolicyRecord => {
  const held = findHeldPolicy(records, policyIdentity);
  assertProved(held !== undefined && !held.is_deleted, 'verdict', `there is no policy ${policyIdentity}`);
  return held;
};

/** The events among records of an asset's stream. */
export const decodeEvents = (records: readonly DisclosedRecord[], assetIdentity: string): EventRecord[] =>
  decodeStream(records, assetIdentity).filter((record) => record.type === 'event');

const toAcceptedMs = ({ timestamp_accepted }: EventRecord): number => Date.parse(timestamp_accepted);

const toPolicyEvent = (event: EventRecord): PolicyEvent<string>[] => {
  const names = toPolicyNames(event.event_attributes);
  const acceptedMs = toAcceptedMs(event);
  const times = { acceptedMs, declaredMs: Date.parse(event.timestamp_declared), judgedMs: acceptedMs };
  return names === undefined ? [] : [{ ref: event.identity, ...times, ...names }];
};

/** Events as policies read them. */
export const toPolicyHistory = (events: readonly EventRecord[]): PolicyHistory<string> => {
  const all = events.flatMap(toPolicyEvent);
  return {
    *ofType(displayType) {
      return all.filter((event) => event.displayType === displayType);
    },
  };
};

/** The creation of an asset and the other events after it, in the order of the stream; none without a creation. */
export const listFromCreation = (events: readonly EventRecord[]): EventRecord[] => {
  const at = events.findIndex(isCreation);
  return at < 0 ? [] : events.slice(at).filter((event, after) => after === 0 || !isCreation(event));
};

/** Those of them that were accepted by a time. */
const listUntil = (events: readonly EventRecord[], atMs: number): EventRecord[] => {
  const [creation, ...others] = listFromCreation(events);
  const isThere = creation !== undefined && toAcceptedMs(creation) <= atMs;
  assertProved(isThere, 'verdict', 'the asset did not exist at that time');
  return [creation, ...others.filter((event) => toAcceptedMs(event) <= atMs)];
};

/**
 * The verdict on an asset with these events, its complete history.
 * @param atMs milliseconds since the epoch.
 * @throws Refuted when there was no such asset, or the policy isn't about it.
 */
export const judgeHistory = (policy: PolicyRecord, events: readonly EventRecord[], atMs: number): Verdict<string> => {
  const counted = listUntil(events, atMs);
  const attributes = foldAttributes(counted);
  assertProved(finish(isAbout(policy, attributes)), 'verdict', 'the policy is not about the asset');
  return evaluate(policy, toPolicyHistory(counted), attributes, atMs);
};

/** Whether one event proves, without any other, that an asset complies with a policy. */
export const needsOneEvent = ({ compliance_type, asset_filter, judged_by }: PolicyRecord): boolean =>
  compliance_type === 'COMPLIANCE_SINCE' && asset_filter.length === 0 && judged_by === undefined;

/**
 * The verdict that one event proves without any other: that it is recent enough.
 * @param atMs milliseconds since the epoch.
 * @throws Refuted when the policy needs more than that.
 */
export const judgeEvent = (policy: PolicyRecord, [event]: readonly EventRecord[], atMs: number): Verdict<string> => {
  assertProved(needsOneEvent(policy), 'verdict', 'a verdict under this policy needs the history of the asset');
  const isEvent = event !== undefined && !isCreation(event) && toAcceptedMs(event) <= atMs;
  assertProved(isEvent, 'verdict', 'the record is no event of the asset at that time');
  const verdict = evaluate(policy, toPolicyHistory([event]), {}, atMs);
  assertProved(verdict.compliant, 'verdict', 'that an asset does not comply needs its history');
  return verdict;
};
