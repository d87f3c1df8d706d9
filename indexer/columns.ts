// Columns: the times and the asset of every event, side by side by the event's number, so that a condition on them reads a few bytes an event
// and no record. Zones are the earliest and latest times of a chunk, so that most chunks need not be looked at.
import type { EventTime } from './ledgerView.ts';

/** Times of an event in milliseconds since the epoch, and the number of its asset. */
export interface EventColumns extends Readonly<Record<EventTime, number>> {
  readonly assetNumber: number;
}

/** Events of one page of columns. A chunk has a whole number of pages. */
export const PAGE_EVENTS = 256;

const TIMES: readonly EventTime[] = ['timestamp_accepted', 'timestamp_declared', 'timestamp_committed'];
const TIME_BYTES = 8;
const EVENT_BYTES = TIMES.length * TIME_BYTES + 4;
const TAG_COLUMNS = 5;
const TAG_ZONE = 6;
const HEADER_BYTES = 1;

export const toColumnsPage = (number: number): number => Math.floor(number / PAGE_EVENTS);

const toView = (row: Uint8Array): DataView => new DataView(row.buffer, row.byteOffset, row.byteLength);
const offsetOf = (number: number): number => HEADER_BYTES + (number % PAGE_EVENTS) * EVENT_BYTES;

/** A page with the columns of one more event, which is its last. */
export const appendColumns = (row: Uint8Array | undefined, number: number, columns: EventColumns): Uint8Array => {
  const offset = offsetOf(number);
  const next = new Uint8Array(offset + EVENT_BYTES);
  next[0] = TAG_COLUMNS;
  if (row !== undefined) next.set(row);
  const view = toView(next);
  for (const [at, time] of TIMES.entries()) view.setFloat64(offset + at * TIME_BYTES, columns[time]);
  view.setUint32(offset + TIMES.length * TIME_BYTES, columns.assetNumber);
  return next;
};

/** Reads one column of a page. */
export interface ColumnsPage {
  timeOf(number: number, time: EventTime): number;
  assetOf(number: number): number;
}

export const openColumns = (row: Uint8Array): ColumnsPage => {
  const view = toView(row);
  return {
    timeOf: (number, time) => view.getFloat64(offsetOf(number) + TIMES.indexOf(time) * TIME_BYTES),
    assetOf: (number) => view.getUint32(offsetOf(number) + TIMES.length * TIME_BYTES),
  };
};

/** Earliest and latest time of the events of a chunk. */
export type Zone = Readonly<Record<EventTime, readonly [earliestMs: number, latestMs: number]>>;

/** A zone with one more event in it. */
export const widenZone = (row: Uint8Array | undefined, columns: EventColumns): Uint8Array => {
  const next = new Uint8Array(HEADER_BYTES + 2 * TIMES.length * TIME_BYTES);
  const zone = row === undefined ? undefined : decodeZone(row);
  next[0] = TAG_ZONE;
  const view = toView(next);
  for (const [at, time] of TIMES.entries()) {
    const [earliestMs, latestMs] = zone?.[time] ?? [columns[time], columns[time]];
    view.setFloat64(HEADER_BYTES + 2 * at * TIME_BYTES, Math.min(earliestMs, columns[time]));
    view.setFloat64(HEADER_BYTES + (2 * at + 1) * TIME_BYTES, Math.max(latestMs, columns[time]));
  }
  return next;
};

export const decodeZone = (row: Uint8Array): Zone => {
  const view = toView(row);
  const read = (slot: number): number => view.getFloat64(HEADER_BYTES + slot * TIME_BYTES);
  const entries = TIMES.map((time, at) => [time, [read(2 * at), read(2 * at + 1)]] as const);
  return Object.fromEntries(entries) as unknown as Zone;
};
