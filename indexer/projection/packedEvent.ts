// What compliance policies use of an event, as the policy pages keep it.
import { toPolicyNames } from '../../ledger/compliance/policyEvent.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { toUuid } from '../../ledger/identity.ts';
import type { EventRecord } from '../../ledger/records/event.ts';
import { HASH_BYTES, type PackedEvent } from '../rows/policyPages.ts';
import { createTermCache } from './terms/termCache.ts';

/**
 * What policies use of an event; undefined if it has no display type, because policies ignore it then (decision 42).
 */
export const toPackedEvent = (
  { event_attributes, identity, timestamp_accepted, timestamp_declared }: EventRecord,
  acceptedMs = Date.parse(timestamp_accepted),
  declaredMs = Date.parse(timestamp_declared),
): PackedEvent | undefined => {
  const names = toPolicyNames(event_attributes);
  return names && { uuid: toUuid(identity), acceptedMs, declaredMs, ...names };
};

/**
 * The first half of a text's Keccak-256, which represents the text: 128 bits, for which no collision is feasible to
 * find by chance.
 */
export const toTextHash = (text: string): Uint8Array => keccak256(Buffer.from(text)).subarray(0, HASH_BYTES);

const TYPES_MAX = 1_000;
/** The hash of a display type, which most events share with others. */
export const toTypeHash = createTermCache(TYPES_MAX).keep(toTextHash);
