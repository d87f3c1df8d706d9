// An asset with many events of few display types, for the tests of pages.
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { ALPHA, aCreation, anEvent, aTenantRecord, eventOf } from './records.ts';

/** Display types of the events of `aLongTypedAsset`: one event in a hundred has the last. */
export const DISPLAY_TYPES = ['Opened', 'Closed', 'Seen'] as const;

/**
 * Time at which the first event of `aLongTypedAsset` is accepted. Further events follow a second apart, some up to a
 * minute earlier.
 */
export const FIRST_MS = Date.parse('2026-11-20T12:00:00.000Z');

const toAttributes = (number: number): Record<string, string> => {
  const pair = String(Math.floor(number / 2));
  const correlation = number % 3 === 0 ? { arc_correlation_value: pair } : { arc_correlation_id: pair };
  if (number % 100 === 99) return { arc_display_type: DISPLAY_TYPES[2] };
  return { arc_display_type: DISPLAY_TYPES[number % 2]!, ...(number % 11 === 0 ? {} : correlation) };
};

/**
 * The records of tenant alpha and of its asset 1, which has so many events with a display type, and some without one in
 * between.
 */
export const aLongTypedAsset = (typed: number): LedgerRecord[] => [
  aTenantRecord(ALPHA),
  aCreation(),
  ...Array.from({ length: typed }, (_, number) => {
    const timestamp_accepted = toTimestamp(FIRST_MS + number * 1_000 - ((number * 7_919) % 61) * 1_000);
    const event_attributes = toAttributes(number);
    const event = anEvent({ identity: eventOf(1, 2 * number + 10), event_attributes, timestamp_accepted });
    const plain = anEvent({ identity: eventOf(1, 2 * number + 11), timestamp_accepted });
    return number % 7 === 0 ? [event, plain] : [event];
  }).flat(),
];
