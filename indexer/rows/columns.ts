// Columns: the times and the asset of every event, side by side by the event's number, so that a condition on them reads a few bytes an event
// and no record. Zones are the earliest and latest times of a chunk, so that most chunks need not be looked at.
import type { EventTime } from '../ledgerView.ts';

export const TIMES: readonly EventTime[] = ['timestamp_accepted', 'timestamp_declared', 'timestamp_committed'];
export type Column = EventTime | 'asset';

/** Times of an event in milliseconds since the epoch, and the number of its asset. */
export type EventColumns = Readonly<Record<Column, number>>;

/**
 * Events on one page of a column; a chunk has a whole number of pages. Times are mostly decided by zones, and are 8 bytes, so their pages are small;
 * assets are looked up for whole chunks.
 */
const PAGE_EVENTS: Readonly<Record<Column, number>> = {
  timestamp_accepted: 256,
  timestamp_declared: 256,
  timestamp_committed: 256,
  asset: 1024,
};
const TAG_COLUMN = 5;
const TAG_ZONE = 6;
const HEADER_BYTES = 1;

export type ColumnValues = Float64Array | Uint32Array;

const typeOf = (column: Column) => (column === 'asset' ? Uint32Array : Float64Array);

/** Events on one page of the column. */
export const columnPageEvents = (column: Column): number => PAGE_EVENTS[column];

/** The row of a page with these values, in the order of the events. */
export const encodeColumnPage = (values: readonly number[], column: Column): Uint8Array => {
  const { buffer } = typeOf(column).from(values);
  const row = new Uint8Array(HEADER_BYTES + buffer.byteLength);
  row[0] = TAG_COLUMN;
  row.set(new Uint8Array(buffer), HEADER_BYTES);
  return row;
};

/** The values of a page, in the order of the events. */
export const decodeColumnPage = (row: Uint8Array, column: Column): ColumnValues => {
  const { buffer } = Uint8Array.prototype.slice.call(row, HEADER_BYTES);
  return new (typeOf(column))(buffer);
};

/** Earliest and latest time of the events of a chunk. */
export type Zone = Readonly<Record<EventTime, readonly [earliestMs: number, latestMs: number]>>;

/** A zone with one more event in it. */
export const widenZone = (zone: Zone | undefined, columns: EventColumns): Zone => {
  const toBounds = (time: EventTime): readonly [number, number] => {
    const [earliestMs, latestMs] = zone?.[time] ?? [columns[time], columns[time]];
    return [Math.min(earliestMs, columns[time]), Math.max(latestMs, columns[time])];
  };
  return {
    timestamp_accepted: toBounds('timestamp_accepted'),
    timestamp_declared: toBounds('timestamp_declared'),
    timestamp_committed: toBounds('timestamp_committed'),
  };
};

export const encodeZone = (zone: Zone): Uint8Array => {
  const bounds = Float64Array.from(TIMES.flatMap((time) => zone[time]));
  const row = new Uint8Array(HEADER_BYTES + bounds.byteLength);
  row[0] = TAG_ZONE;
  row.set(new Uint8Array(bounds.buffer), HEADER_BYTES);
  return row;
};

export const decodeZone = (row: Uint8Array): Zone => {
  const bounds = new Float64Array(Uint8Array.prototype.slice.call(row, HEADER_BYTES).buffer);
  const entries = TIMES.map((time, at) => [time, [bounds[2 * at]!, bounds[2 * at + 1]!]] as const);
  return Object.fromEntries(entries) as unknown as Zone;
};
