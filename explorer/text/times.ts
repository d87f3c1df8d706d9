// Times as people read them. Wide spaces of time are given in words, and the exact time stands beside them.
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** RFC 3339 to the reader's local time. */
export const toLocal = (timestamp: string): string => local.format(new Date(timestamp));

/** RFC 3339 to UTC, to the second. */
export const toUtc = (timestamp: string): string =>
  `${new Date(timestamp).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Times that differ by less than this are shown as one, in milliseconds. */
const SAME_MS = 2_000;

/** Whether an event was recorded noticeably later than it happened, as it declares. */
export const isLate = (event: { readonly timestamp_declared: string; readonly timestamp_accepted: string }): boolean =>
  Math.abs(Date.parse(event.timestamp_accepted) - Date.parse(event.timestamp_declared)) >= SAME_MS;

/** How long ago a time is, in one unit. */
export const toAgo = (timestamp: string, nowMs: number): string => {
  const seconds = (Date.parse(timestamp) - nowMs) / 1_000;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? UNITS.at(-1)!;
  return relative.format(Math.round(seconds / length), unit);
};
