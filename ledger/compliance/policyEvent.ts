// The part of an event that compliance policies use. `Ref` is the caller's reference to the event.
import type { Attributes } from '../records/attributes.ts';
import { inSteps, type Steps } from './steps.ts';

export interface PolicyEvent<Ref> {
  readonly ref: Ref;
  /** `event_attributes.arc_display_type`. */
  readonly displayType: string;
  /** The same text for events that belong together (decision 42); undefined for an event without a correlation id. */
  readonly correlation: string | undefined;
  /** `timestamp_accepted`, in milliseconds since the epoch. */
  readonly acceptedMs: number;
  /** `timestamp_declared`, in milliseconds since the epoch. */
  readonly declaredMs: number;
  /** The one of these that policies judge it by: of a history as it is read, that of its acceptance. */
  readonly judgedMs: number;
}

/** The events of one asset by their display type, in ledger order. */
export interface PolicyHistory<Ref> {
  ofType(displayType: string): Steps<readonly PolicyEvent<Ref>[]>;
}

/** The history as policies judge it by declared times: the events that were accepted at or before a time. */
export const toDeclaredHistory = <Ref>(history: PolicyHistory<Ref>, atMs: number): PolicyHistory<Ref> => ({
  *ofType(displayType) {
    const events = yield* history.ofType(displayType);
    const declared: PolicyEvent<Ref>[] = [];
    yield* inSteps(events.length, (from, to) => {
      for (const event of events.slice(from, to))
        if (event.acceptedMs <= atMs) declared.push({ ...event, judgedMs: event.declaredMs });
    });
    return declared;
  },
});

const textOf = (attributes: Attributes, name: string): string | undefined => {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/**
 * Display type and correlation id in the attributes of an event; undefined if it has no display type, because policies
 * ignore it then (decision 42).
 */
export const toPolicyNames = (
  eventAttributes: Attributes,
): Pick<PolicyEvent<never>, 'displayType' | 'correlation'> | undefined => {
  const displayType = textOf(eventAttributes, 'arc_display_type');
  if (displayType === undefined) return undefined;
  const correlation = textOf(eventAttributes, 'arc_correlation_id') ?? textOf(eventAttributes, 'arc_correlation_value');
  return { displayType, correlation };
};
