// A verdict and its evidence: plain data with units in the names, from which a third party with the asset's history can
// compute the same verdict.

/** An event that decides a verdict. `Ref` is the caller's reference to an event. */
export interface DecidingEvent<Ref> {
  readonly event: Ref;
  /** Milliseconds since the epoch. */
  readonly acceptedMs: number;
  /** The time that it declares, if that differs from the other by more than a minute. */
  readonly declaredMs?: number;
  /** The opening event that this event answers; absent where it answers none. */
  readonly answers?: Ref;
}

/** The events that decide a verdict: the first `EVENTS_MAX`, and their total number. */
export interface Deciding<Ref> {
  readonly events: readonly DecidingEvent<Ref>[];
  readonly events_total: number;
}

/** The types of events that a policy about pairs looks for. */
export interface PairTypes {
  readonly event_display_type: string;
  readonly closing_event_display_type: string;
}

/** Most events that a verdict lists. */
export const EVENTS_MAX = 100;

/** Evidence of COMPLIANCE_SINCE. The event is the last of its type. */
export interface SinceEvidence<Ref> extends Deciding<Ref> {
  readonly event_display_type: string;
  /** Whole seconds in decimal digits. */
  readonly limit_seconds: string;
  /** Absent where there is no event. */
  readonly elapsed_seconds?: number;
}

/**
 * Evidence of COMPLIANCE_CURRENT_OUTSTANDING. The events are the openings without an answer; where there are none, the
 * events of the pairs.
 */
export interface CurrentOutstandingEvidence<Ref> extends Deciding<Ref>, PairTypes {
  /** Number of opening events with an answer. */
  readonly pairs: number;
  /** Number of opening events without an answer. */
  readonly open: number;
}

/**
 * Evidence of COMPLIANCE_PERIOD_OUTSTANDING. The events are those of the longest duration, then those of the other
 * durations over the limit.
 */
export interface PeriodOutstandingEvidence<Ref> extends CurrentOutstandingEvidence<Ref> {
  /** Whole seconds in decimal digits. */
  readonly limit_seconds: string;
  /** Number of durations over the limit. */
  readonly exceeding: number;
  /**
   * The longest duration; an open event's lasts until the time of the verdict. Absent where there is no opening event.
   */
  readonly elapsed_seconds?: number;
}

/**
 * Evidence of COMPLIANCE_DYNAMIC_TOLERANCE. The events are those of the pair farthest from the mean, then of the other
 * pairs that are too far from it, then of the remaining pairs.
 */
export interface DynamicToleranceEvidence<Ref> extends Deciding<Ref>, PairTypes {
  /** Whole seconds in decimal digits. */
  readonly window_seconds: string;
  /** Number of standard deviations that a duration may differ from the mean. */
  readonly variability: number;
  /** Number of pairs in the window. */
  readonly pairs: number;
  /** Number of pairs that are too far from the mean. */
  readonly exceeding: number;
  /**
   * Exact sum of the durations of all pairs, in decimal digits. Absent, like the fields below, where there are fewer
   * than two pairs.
   */
  readonly sum_milliseconds?: string;
  /** Exact sum of the squares of these durations, in decimal digits. */
  readonly sum_of_squares_milliseconds?: string;
  /** The double nearest to the mean, or next to the nearest. */
  readonly mean_seconds?: number;
  /** Of the complete population, with the mean's accuracy. */
  readonly standard_deviation_seconds?: number;
  /** Duration of the pair farthest from the mean. */
  readonly elapsed_seconds?: number;
}

/** Evidence of COMPLIANCE_RICHNESS. No event decides it. */
export interface RichnessEvidence<Ref> extends Deciding<Ref> {
  /**
   * All assertions of the first list in which none holds; where there is no such list, the first assertion of each list
   * that holds.
   */
  readonly assertions: readonly string[];
  /** The asset's values of the attributes in these assertions, where they are texts; cut after 256 characters. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The attributes in these assertions that the asset doesn't have, or that are empty. */
  readonly missing: readonly string[];
  /** The attributes in these assertions that are a map or a list. */
  readonly not_texts: readonly string[];
}

export type Evidence<Ref> =
  | SinceEvidence<Ref>
  | CurrentOutstandingEvidence<Ref>
  | PeriodOutstandingEvidence<Ref>
  | DynamicToleranceEvidence<Ref>
  | RichnessEvidence<Ref>;

/** The answer of a check of one policy. */
export interface Verdict<Ref, E extends Evidence<Ref> = Evidence<Ref>> {
  readonly compliant: boolean;
  /** One sentence; empty where the asset complies. */
  readonly reason: string;
  readonly evidence: E;
}
