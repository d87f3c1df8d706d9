// The part of an event that compliance policies use. `Ref` is the caller's reference to the event.
import type { Steps } from './steps.ts';

export interface PolicyEvent<Ref> {
  readonly ref: Ref;
  /** `event_attributes.arc_display_type`. */
  readonly displayType: string;
  /** The same text for events that belong together (decision 42); undefined for an event without a correlation id. */
  readonly correlation: string | undefined;
  /** `timestamp_accepted`, in milliseconds since the epoch. */
  readonly acceptedMs: number;
}

/** The events of one asset by their display type, in ledger order. */
export interface PolicyHistory<Ref> {
  ofType(displayType: string): Steps<readonly PolicyEvent<Ref>[]>;
}
