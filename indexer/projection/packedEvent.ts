// What compliance policies use of an event, as the policy pages keep it.
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { toUuid } from '../../ledger/identity.ts';
import type { Attributes } from '../../ledger/records/attributes.ts';
import type { EventRecord } from '../../ledger/records/event.ts';
import { HASH_BYTES, type PackedEvent } from '../rows/policyPages.ts';
import { createTermCache } from './termCache.ts';

const textOf = (attributes: Attributes, name: string): string | undefined => {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/**
 * What policies use of an event; undefined if it has no display type, because policies ignore it then (decision 42).
 */
export const toPackedEvent = (
  { event_attributes, identity, timestamp_accepted }: EventRecord,
  acceptedMs = Date.parse(timestamp_accepted),
): PackedEvent | undefined => {
  const displayType = textOf(event_attributes, 'arc_display_type');
  if (displayType === undefined) return undefined;
  const correlation =
    textOf(event_attributes, 'arc_correlation_id') ?? textOf(event_attributes, 'arc_correlation_value');
  return {
    uuid: toUuid(identity),
    acceptedMs,
    displayType,
    correlation,
  };
};

/**
 * The first half of a text's Keccak-256, which represents the text: 128 bits, for which no collision is feasible to
 * find by chance.
 */
export const toTextHash = (text: string): Uint8Array => keccak256(Buffer.from(text)).subarray(0, HASH_BYTES);

const TYPES_MAX = 1_000;
/** The hash of a display type, which most events share with others. */
export const toTypeHash = createTermCache(TYPES_MAX).keep(toTextHash);
