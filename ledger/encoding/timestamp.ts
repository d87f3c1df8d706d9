// Timestamps of the API: RFC 3339 in UTC, with `Z` and milliseconds (decision 5).
import { refuseField } from '../errors.ts';

/** `timestamp_committed` of a record that isn't on the chain yet. */
export const NEVER_COMMITTED = '1970-01-01T00:00:00Z';

const MS_PER_SECOND = 1000;
/** The last time that a Date can have. */
const DATE_MS_MAX = 8.64e15;
const END = '000Z'.length;

// Many records are accepted in one second, so the text of the last one is kept, without its milliseconds.
let lastSecond = { atSeconds: 0, text: '1970-01-01T00:00:00.' };

const toSecondText = (atSeconds: number): string => {
  if (atSeconds !== lastSecond.atSeconds) {
    lastSecond = { atSeconds, text: new Date(atSeconds * MS_PER_SECOND).toISOString().slice(0, -END) };
  }
  return lastSecond.text;
};

/**
 * RFC 3339 text of a time in milliseconds since the epoch, with milliseconds.
 * @throws RangeError for a time that a Date can't have.
 */
export const toTimestamp = (atMs: number): string => {
  if (!Number.isInteger(atMs) || atMs >= DATE_MS_MAX) return new Date(atMs).toISOString();
  const atSeconds = Math.floor(atMs / MS_PER_SECOND);
  return `${toSecondText(atSeconds)}${String(atMs - atSeconds * MS_PER_SECOND).padStart(3, '0')}Z`;
};

// The records of a block share its time, so the last result is kept.
let last = { atSeconds: 0, text: NEVER_COMMITTED };

/** RFC 3339 text of a block's time, in whole seconds since the epoch. */
export const toBlockTimestamp = (atSeconds: number): string => {
  if (atSeconds !== last.atSeconds) {
    last = { atSeconds, text: new Date(atSeconds * 1000).toISOString().replace('.000Z', 'Z') };
  }
  return last.text;
};

const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt ](?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/**
 * Whether a text of the form `2026-11-27` is a day of the calendar. Date.parse reads 30 February as 2 March: only a day
 * of the calendar is formatted as the same text.
 */
export const isCalendarDay = (day: string): boolean => {
  const atMs = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(atMs) && toTimestamp(atMs).startsWith(day);
};

/**
 * A client's RFC 3339 timestamp, converted to UTC and cut to milliseconds. Leap seconds and years outside 0000 to 9999
 * are refused.
 * @throws LedgerError TIMESTAMP_INVALID that names `field`.
 */
export const normalizeTimestamp = (text: string, field: string): string => {
  const day = RFC_3339.exec(text)?.[1];
  const atMs = day !== undefined && isCalendarDay(day) ? Date.parse(text.toUpperCase().replace(' ', 'T')) : Number.NaN;
  const timestamp = Number.isNaN(atMs) ? '' : toTimestamp(atMs);
  if (!isTimestamp(timestamp)) throw refuseField('TIMESTAMP_INVALID', field, 'must be an RFC 3339 date and time');
  return timestamp;
};

const TIMESTAMP = /^\d{4}-(?:0[1-9]|1[0-2])-(?:[0-2]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const DAY_AT = 8;

/** Whether a value is a timestamp exactly as `toTimestamp` writes it, in the years 0000 to 9999. */
export const isTimestamp = (value: unknown): value is string => {
  if (typeof value !== 'string' || !TIMESTAMP.test(value)) return false;
  // Every month has the days 1 to 28. Only the others need the calendar, which takes most of the time of this check.
  const day = value.slice(DAY_AT, DAY_AT + 2);
  return day > '00' && (day <= '28' || isCalendarDay(value.slice(0, DAY_AT + 2)));
};

const DAY_MS = 86_400_000;

/** The number of the day (UTC) of a time in milliseconds since 1970, from 0. */
export const toDay = (atMs: number): number => Math.floor(atMs / DAY_MS);

/** When a day begins, in milliseconds since 1970. */
export const toDayStartMs = (day: number): number => day * DAY_MS;
