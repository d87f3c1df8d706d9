// What a compliance policy looks at in an event. `Ref` is whatever the caller knows the event by.

export interface PolicyEvent<Ref> {
  readonly ref: Ref;
  /** `event_attributes.arc_display_type`. */
  readonly displayType: string;
  /** The same text for events that belong together (decision 42); undefined where the event has no correlation id. */
  readonly correlation: string | undefined;
  /** `timestamp_accepted`, in milliseconds since the epoch. */
  readonly acceptedMs: number;
}
