// What a judgement says, and the facts that it stands on: plain data, with units in the names, from which anybody who has the
// asset's history can come to the same verdict.

/** The events that decide a verdict: the first `EVENTS_MAX` of them, and how many there are. */
export interface Deciding<Ref> {
  readonly events: readonly Ref[];
  readonly events_total: number;
}

/** Events that a verdict lists at most. */
export const EVENTS_MAX = 100;

/** COMPLIANCE_SINCE. The event is the last of its type. */
export interface SinceEvidence<Ref> extends Deciding<Ref> {
  readonly limit_seconds: number;
  /** Absent where there is no event. */
  readonly elapsed_seconds?: number;
}

/** COMPLIANCE_CURRENT_OUTSTANDING. The events are those without answer, else those of the pairs. */
export interface CurrentOutstandingEvidence<Ref> extends Deciding<Ref> {
  /** Opening events that were answered. */
  readonly pairs: number;
  /** Opening events that were not. */
  readonly open: number;
}

/** COMPLIANCE_PERIOD_OUTSTANDING. The events are those of the longest duration, then those of all others over the limit. */
export interface PeriodOutstandingEvidence<Ref> extends CurrentOutstandingEvidence<Ref> {
  readonly limit_seconds: number;
  /** Durations over the limit. */
  readonly exceeding: number;
  /** The longest, of an open event up to now. Absent where there is no opening event. */
  readonly elapsed_seconds?: number;
}

/** COMPLIANCE_DYNAMIC_TOLERANCE. The events are those of the pair farthest from the mean, then those of all others that are too far from it. */
export interface DynamicToleranceEvidence<Ref> extends Deciding<Ref> {
  readonly window_seconds: number;
  /** Standard deviations that a duration may be away from the mean. */
  readonly variability: number;
  /** Pairs in the window. */
  readonly pairs: number;
  /** Pairs that are too far from the mean. */
  readonly exceeding: number;
  /** Absent, as the numbers below, where there are fewer than two pairs. */
  readonly mean_seconds?: number;
  /** Of the whole population. */
  readonly standard_deviation_seconds?: number;
  /** Duration of the pair farthest from the mean. */
  readonly elapsed_seconds?: number;
}

/** COMPLIANCE_RICHNESS. No event decides it. */
export interface RichnessEvidence<Ref> extends Deciding<Ref> {
  /** All assertions of the first list of which none holds; where there is no such list, the first of each that does. */
  readonly assertions: readonly string[];
  /** What the asset has for the attributes of these assertions, where that is a text. */
  readonly attributes: Readonly<Record<string, string>>;
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
