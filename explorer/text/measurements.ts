// Numbers that events state of an asset, such as temperatures, over the times at which they were declared.
import { splitDecimal } from '../../ledger/encoding/decimal.ts';
import type { LedgerEvent } from '../api/client.ts';

/** The number that a text is in decimal digits; undefined if it is none. */
export const readNumber = (text: unknown): number | undefined => {
  if (typeof text !== 'string' || splitDecimal(text) === undefined) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
};

/** A number with its time. */
export interface TimedNumber {
  /** Seconds since the epoch, as the event declares. */
  readonly timeSeconds: number;
  readonly value: number;
}

type Stating = Pick<LedgerEvent, 'operation' | 'timestamp_declared' | 'event_attributes' | 'asset_attributes'>;

// Positions have the map.
const isMeasured = (name: string): boolean => !name.startsWith('arc_');

/**
 * The attributes of which at least two events state a number, the most frequent first, with the numbers by time. What
 * an asset is created with isn't measured.
 */
export const listMeasured = (events: readonly Stating[]): ReadonlyMap<string, readonly TimedNumber[]> => {
  const found = new Map<string, TimedNumber[]>();
  for (const { operation, timestamp_declared, event_attributes, asset_attributes } of events)
    for (const [name, text] of Object.entries({ ...event_attributes, ...asset_attributes })) {
      const value = isMeasured(name) && operation !== 'NewAsset' ? readNumber(text) : undefined;
      if (value === undefined) continue;
      const known = found.get(name) ?? [];
      known.push({ timeSeconds: Date.parse(timestamp_declared) / 1_000, value });
      found.set(name, known);
    }
  const repeated = [...found].filter(([, values]) => values.length > 1);
  for (const [, values] of repeated) values.sort((one, other) => one.timeSeconds - other.timeSeconds);
  return new Map(repeated.toSorted(([, one], [, other]) => other.length - one.length));
};
