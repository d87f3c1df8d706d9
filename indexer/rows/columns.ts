// The rows of columns and zones. A column has one value of every event, ordered by the event's number, so that a
// condition on it reads a few bytes per event and no record. A zone has the earliest and latest times of a chunk, so
// that most chunks need not be read.
import type { EventTime } from '../ledgerView.ts';

/** The columns with times, in the order in which a zone has their bounds. */
export const TIMES: readonly EventTime[] = ['timestamp_accepted', 'timestamp_declared', 'timestamp_committed'];
/** A column's name. */
export type Column = EventTime | 'asset';

/** The values of one event: its times in milliseconds since the epoch, and the number of its asset. */
export type EventColumns = Readonly<Record<Column, number>>;

/**
 * Events on one page of a column; the size of a chunk is a multiple. Zones decide most conditions on times, and a time
 * has 8 bytes, so their pages are small; assets are read for complete chunks.
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

/** The values of one page: times as 8-byte floating-point numbers, asset numbers as 4-byte integers. */
export type ColumnValues = Float64Array | Uint32Array;

const typeOf = (column: Column) => (column === 'asset' ? Uint32Array : Float64Array);

/** The number of events on one page of the column. */
export const columnPageEvents = (column: Column): number => PAGE_EVENTS[column];

/** Encodes the page with these values, which are in the order of the events. */
export const encodeColumnPage = (values: readonly number[], column: Column): Uint8Array => {
  const { buffer } = typeOf(column).from(values);
  const row = new Uint8Array(HEADER_BYTES + buffer.byteLength);
  row[0] = TAG_COLUMN;
  row.set(new Uint8Array(buffer), HEADER_BYTES);
  return row;
};

/** Decodes a page to its values, in the order of the events. */
export const decodeColumnPage = (row: Uint8Array, column: Column): ColumnValues => {
  const { buffer } = Uint8Array.prototype.slice.call(row, HEADER_BYTES);
  return new (typeOf(column))(buffer);
};

/** The earliest and the latest of each time of the events of one chunk. */
export type Zone = Readonly<Record<EventTime, readonly [earliestMs: number, latestMs: number]>>;

/** The zone of the same events and one more; undefined is the zone of no events. */
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

/** Encodes a zone: six 8-byte floating-point numbers. */
export const encodeZone = (zone: Zone): Uint8Array => {
  const bounds = Float64Array.from(TIMES.flatMap((time) => zone[time]));
  const row = new Uint8Array(HEADER_BYTES + bounds.byteLength);
  row[0] = TAG_ZONE;
  row.set(new Uint8Array(bounds.buffer), HEADER_BYTES);
  return row;
};

/** Decodes a zone. */
export const decodeZone = (row: Uint8Array): Zone => {
  const bounds = new Float64Array(Uint8Array.prototype.slice.call(row, HEADER_BYTES).buffer);
  const entries = TIMES.map((time, at) => [time, [bounds[2 * at]!, bounds[2 * at + 1]!]] as const);
  return Object.fromEntries(entries) as unknown as Zone;
};
