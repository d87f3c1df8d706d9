// The types of compliance policies, in words.
import type { PolicyAnswer } from '../api/writes.ts';

export type PolicyType = PolicyAnswer['compliance_type'];

/** A field that the form of a type has besides name, description and filter. */
export type PolicyField =
  | 'event_display_type'
  | 'closing_event_display_type'
  | 'time_period_seconds'
  | 'dynamic_window'
  | 'dynamic_variability'
  | 'judged_by'
  | 'richness_assertions';

interface TypeText {
  readonly title: string;
  /** What the type demands. */
  readonly demand: string;
  readonly example: string;
  readonly fields: readonly PolicyField[];
}

const PAIR = ['event_display_type', 'closing_event_display_type'] as const;

/** What each type is called, demands and needs. */
export const POLICY_TYPES: Readonly<Record<PolicyType, TypeText>> = {
  COMPLIANCE_SINCE: {
    title: 'Done recently',
    demand: 'The last event of a type is not older than a period. An asset without such an event fails.',
    example: 'Every fire door was inspected in the last 90 days.',
    fields: ['event_display_type', 'time_period_seconds', 'judged_by'],
  },
  COMPLIANCE_CURRENT_OUTSTANDING: {
    title: 'Nothing open',
    demand: 'Every event of a type is closed by an event of another type with the same correlation id.',
    example: 'No fault is without its repair.',
    fields: [...PAIR, 'judged_by'],
  },
  COMPLIANCE_PERIOD_OUTSTANDING: {
    title: 'Closed in time',
    demand:
      'Every event of a type is closed by one of another type with the same correlation id, within a period. One that was closed later fails permanently.',
    example: 'Every fault is repaired within 3 days.',
    fields: [...PAIR, 'time_period_seconds', 'judged_by'],
  },
  COMPLIANCE_DYNAMIC_TOLERANCE: {
    title: 'As usual',
    demand:
      'Of the pairs of events in a window of time, none takes much more or less time than the others: it differs from their mean by at most so many standard deviations.',
    example: 'No repair of the last 30 days took much longer than the others.',
    fields: [...PAIR, 'dynamic_window', 'dynamic_variability', 'judged_by'],
  },
  COMPLIANCE_RICHNESS: {
    title: 'Attributes as they should be',
    demand: 'The attributes of the asset are as asserted. An attribute that is absent, empty or not a number fails.',
    example: 'The temperature is below -15, and the seal is closed or locked.',
    fields: ['richness_assertions'],
  },
};

/** Whether a text names a type. */
export const isPolicyType = (text: string): text is PolicyType => Object.hasOwn(POLICY_TYPES, text);

/** The times of events by which a policy judges. */
export const JUDGED_BY = {
  accepted: 'when events were recorded',
  declared: 'when events happened, as they declare',
} as const;

/** Units of periods, each with its seconds, the largest last. */
export const PERIOD_UNITS = [
  ['1', 'seconds'],
  ['60', 'minutes'],
  ['3600', 'hours'],
  ['86400', 'days'],
] as const;

/** Seconds as text, in the largest unit that leaves a whole number. */
export const toPeriod = (seconds: string): string => {
  const number = Number(seconds);
  if (!Number.isSafeInteger(number)) return `${seconds} seconds`;
  const [size, unit] =
    PERIOD_UNITS.findLast(([each]) => number !== 0 && number % Number(each) === 0) ?? PERIOD_UNITS[0];
  const count = number / Number(size);
  return `${count.toLocaleString()} ${count === 1 ? unit.slice(0, -1) : unit}`;
};

/** A policy's name, or else what it is. */
export const toPolicyName = ({ display_name, compliance_type }: PolicyAnswer): string =>
  display_name || POLICY_TYPES[compliance_type].title;
