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

const bytesOf = ({ buffer }: Float64Array | Uint32Array): Uint8Array => new Uint8Array(buffer);

/**
 * The row of a page with more events: the same page with these values at its end. Undefined is the page before its
 * first event.
 */
export const appendToColumnPage = (
  page: Uint8Array | undefined,
  values: readonly number[],
  column: Column,
): Uint8Array => {
  const added = bytesOf(new (typeOf(column))(values));
  const length = page?.length ?? HEADER_BYTES;
  const row = new Uint8Array(length + added.length);
  row[0] = TAG_COLUMN;
  if (page !== undefined) row.set(page);
  row.set(added, length);
  return row;
};

/** Decodes a page to its values, in the order of the events. */
export const decodeColumnPage = (row: Uint8Array, column: Column): ColumnValues => {
  const { buffer } = Uint8Array.prototype.slice.call(row, HEADER_BYTES);
  return new (typeOf(column))(buffer);
};

/** The earliest and the latest of each time of the events of one chunk. */
export type Zone = Readonly<Record<EventTime, readonly [earliestMs: number, latestMs: number]>>;

/** The bounds of a zone while events are added, as its row has them: of each time the earliest and the latest. */
export type OpenZone = Float64Array;

const boundsOf = (row: Uint8Array): Float64Array =>
  new Float64Array(Uint8Array.prototype.slice.call(row, HEADER_BYTES).buffer);

/** Opens a zone for changes; undefined is the zone of no events. */
export const openZone = (row: Uint8Array | undefined): OpenZone =>
  row === undefined ? Float64Array.from(TIMES.flatMap(() => [Infinity, -Infinity])) : boundsOf(row);

/** Widens an open zone to the times of one more event. */
export const widenZone = (zone: OpenZone, columns: EventColumns): void => {
  let at = 0;
  for (const time of TIMES) {
    const atMs = columns[time];
    if (atMs < zone[at]!) zone[at] = atMs;
    if (atMs > zone[at + 1]!) zone[at + 1] = atMs;
    at += 2;
  }
};

/** The row of an open zone: six 8-byte floating-point numbers. */
export const encodeZone = (zone: OpenZone): Uint8Array => {
  const row = new Uint8Array(HEADER_BYTES + zone.byteLength);
  row[0] = TAG_ZONE;
  row.set(bytesOf(zone), HEADER_BYTES);
  return row;
};

/** Decodes a zone. */
export const decodeZone = (row: Uint8Array): Zone => {
  const bounds = boundsOf(row);
  const entries = TIMES.map((time, at) => [time, [bounds[2 * at]!, bounds[2 * at + 1]!]] as const);
  return Object.fromEntries(entries) as unknown as Zone;
};
