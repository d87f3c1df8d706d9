// Dates and times of ISO 8601 in the extended format: `2026-11`, `2026-11-27`, `2026-11-27T10:15`, with seconds, a
// fraction and a zone or without.
import { isCalendarDay } from '../../encoding/timestamp.ts';

/** A time of a day. */
interface IsoTime {
  /** Seconds after 1970 in the zone, or where there is none. */
  readonly seconds: number;
  /** Digits of the fraction of a second, without zeros at the end. */
  readonly fraction: string;
  readonly hasZone: boolean;
}

/** A month, a day, or a time of a day. */
export interface IsoDate {
  /** The month or day as it is written. */
  readonly day: string;
  readonly time: IsoTime | undefined;
}

const DAY = /^\d{4}-\d\d(?:-\d\d)?$/;
const TIME =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d+))?)?(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?$/;
// All of the zeros: a search from each of them would take quadratic time.
const LAST_ZEROS = /(?<!0)0+$/;
const DAY_LENGTH = '2026-11-27'.length;
const MS_PER_SECOND = 1_000;

const isDay = (text: string): boolean =>
  DAY.test(text) && isCalendarDay(text.length === DAY_LENGTH ? text : `${text}-01`);

const toSeconds = (hours = '0', minutes = '0', seconds = '0'): number =>
  3_600 * Number(hours) + 60 * Number(minutes) + Number(seconds);

const parseTime = (text: string): IsoDate | undefined => {
  const [, day, hours, minutes, seconds, fraction = '', sign, zoneHours, zoneMinutes] = TIME.exec(text) ?? [];
  if (day === undefined || !isCalendarDay(day)) return undefined;
  const zone = toSeconds(zoneHours, zoneMinutes) * (sign === '-' ? -1 : 1);
  const midnight = Date.parse(`${day}T00:00:00Z`) / MS_PER_SECOND;
  const time = {
    seconds: midnight + toSeconds(hours, minutes, seconds) - zone,
    fraction: fraction.replace(LAST_ZEROS, ''),
    hasZone: sign !== undefined || text.endsWith('Z'),
  };
  return { day, time };
};

/** The date or time that a text is; undefined for another text. */
export const parseIsoDate = (text: string): IsoDate | undefined =>
  isDay(text) ? { day: text, time: undefined } : parseTime(text);

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/**
 * Less than 0, 0 or more than 0 as a date is before, equal to or after a bound, as exactly as the bound is: every time
 * of a day equals this day. Undefined where the date is less exact, or only one of two times has a zone.
 */
export const compareWithDate = (date: IsoDate, bound: IsoDate): number | undefined => {
  if (bound.time === undefined) {
    const { length } = bound.day;
    return date.day.length < length ? undefined : compareTexts(date.day.slice(0, length), bound.day);
  }
  if (date.time?.hasZone !== bound.time.hasZone) return undefined;
  return date.time.seconds - bound.time.seconds || compareTexts(date.time.fraction, bound.time.fraction);
};
