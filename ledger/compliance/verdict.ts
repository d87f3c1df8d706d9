// What a judgement says, and the facts that it stands on: plain data, with units in the names, from which anybody who has the
// asset's history can come to the same verdict.

/** An event that decides a verdict. */
export interface DecidingEvent<Ref> {
  readonly event: Ref;
  /** Milliseconds since the epoch. */
  readonly acceptedMs: number;
  /** The opening event that this one answers; absent where it answers none. */
  readonly answers?: Ref;
}

/** The events that decide a verdict: the first `EVENTS_MAX` of them, and how many there are. */
export interface Deciding<Ref> {
  readonly events: readonly DecidingEvent<Ref>[];
  readonly events_total: number;
}

/** What a policy about pairs looks for. */
export interface PairTypes {
  readonly event_display_type: string;
  readonly closing_event_display_type: string;
}

/** Events that a verdict lists at most. */
export const EVENTS_MAX = 100;

/** COMPLIANCE_SINCE. The event is the last of its type. */
export interface SinceEvidence<Ref> extends Deciding<Ref> {
  readonly event_display_type: string;
  /** Whole seconds in decimal digits. */
  readonly limit_seconds: string;
  /** Absent where there is no event. */
  readonly elapsed_seconds?: number;
}

/** COMPLIANCE_CURRENT_OUTSTANDING. The events are those without answer, else those of the pairs. */
export interface CurrentOutstandingEvidence<Ref> extends Deciding<Ref>, PairTypes {
  /** Opening events that were answered. */
  readonly pairs: number;
  /** Opening events that were not. */
  readonly open: number;
}

/** COMPLIANCE_PERIOD_OUTSTANDING. The events are those of the longest duration, then those of all others over the limit. */
export interface PeriodOutstandingEvidence<Ref> extends CurrentOutstandingEvidence<Ref> {
  /** Whole seconds in decimal digits. */
  readonly limit_seconds: string;
  /** Durations over the limit. */
  readonly exceeding: number;
  /** The longest, of an open event up to now. Absent where there is no opening event. */
  readonly elapsed_seconds?: number;
}

/** COMPLIANCE_DYNAMIC_TOLERANCE. The events are those of the pair farthest from the mean, of all others that are too far from it, then of the others. */
export interface DynamicToleranceEvidence<Ref> extends Deciding<Ref>, PairTypes {
  /** Whole seconds in decimal digits. */
  readonly window_seconds: string;
  /** Standard deviations that a duration may be away from the mean. */
  readonly variability: number;
  /** Pairs in the window. */
  readonly pairs: number;
  /** Pairs that are too far from the mean. */
  readonly exceeding: number;
  /** Sum of the durations of all pairs, exactly, in decimal digits. Absent, as what is below, where there are fewer than two pairs. */
  readonly sum_milliseconds?: string;
  /** Sum of the squares of these durations, exactly, in decimal digits. */
  readonly sum_of_squares_milliseconds?: string;
  /** The double that is nearest to it, or next to that. */
  readonly mean_seconds?: number;
  /** Of the whole population, as near as the mean. */
  readonly standard_deviation_seconds?: number;
  /** Duration of the pair farthest from the mean. */
  readonly elapsed_seconds?: number;
}

/** COMPLIANCE_RICHNESS. No event decides it. */
export interface RichnessEvidence<Ref> extends Deciding<Ref> {
  /** All assertions of the first list of which none holds; where there is no such list, the first of each that does. */
  readonly assertions: readonly string[];
  /** What the asset has for the attributes of these assertions, where that is a text; cut after 256 characters. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Those of these attributes that the asset doesn't have, or has empty. */
  readonly missing: readonly string[];
  /** Those of them that are a map or a list. */
  readonly not_texts: readonly string[];
}

export type Evidence<Ref> =
  | SinceEvidence<Ref>
  | CurrentOutstandingEvidence<Ref>
  | PeriodOutstandingEvidence<Ref>
  | DynamicToleranceEvidence<Ref>
  | RichnessEvidence<Ref>;

export interface Verdict<Ref, E extends Evidence<Ref> = Evidence<Ref>> {
  readonly compliant: boolean;
  /** One sentence; empty where the asset complies. */
  readonly reason: string;
  readonly evidence: E;
}
