// The record of a compliance policy: of its creation or of its deletion. Policies don't change in between (decisions 41
// and 49).
import { isTimestamp } from '../encoding/timestamp.ts';
import { toStreamIdentityOf } from '../identity.ts';
import { isPrincipal, type Principal } from '../principal.ts';
import { type AppendedAgain, withoutPlaces } from './appendedAgain.ts';
import { isJsonObject } from './attributes.ts';
import { type Checks, hasFields, isString, isVersionOf } from './fieldChecks.ts';
import { FOLLOWS_NONE, isFollows } from './version.ts';

export const COMPLIANCE_TYPES = [
  'COMPLIANCE_SINCE',
  'COMPLIANCE_CURRENT_OUTSTANDING',
  'COMPLIANCE_PERIOD_OUTSTANDING',
  'COMPLIANCE_DYNAMIC_TOLERANCE',
  'COMPLIANCE_RICHNESS',
] as const;
export type ComplianceType = (typeof COMPLIANCE_TYPES)[number];

/** Alternatives, at least one of which must hold. */
export interface Alternatives {
  readonly or: readonly string[];
}

/**
 * How the texts of conditions, assertions and claims are read (decision 40). `escaped`: a backslash before a sign makes
 * the sign a part of the name or the value. `paths`: so it does, and the names of conditions may be paths. Without it,
 * as in earlier policies, backslashes and dots are characters like others.
 */
export type ConditionSyntax = 'escaped' | 'paths';

/** The syntax of texts that are sent now. */
export const NEWEST_SYNTAX = 'paths';

/** A time of events other than that of their acceptance. */
export type JudgedBy = 'declared';

/**
 * How RICHNESS orders values (decision 47): by their kind, as versions, dates, times or decimal numbers. Without it, as
 * in earlier policies, texts that are no numbers are ordered by their code points.
 */
export type ValueOrder = 'typed';

/** The requirements of a policy. Fields that its type doesn't use are empty. */
export interface PolicyContent {
  readonly compliance_type: ComplianceType;
  readonly display_name: string;
  readonly description: string;
  /** Conditions (`ledger/compliance/assetFilter.ts`); the asset meets one of each list. Empty: every asset. */
  readonly asset_filter: readonly Alternatives[];
  readonly event_display_type: string;
  readonly closing_event_display_type: string;
  /** Whole seconds in decimal digits. */
  readonly time_period_seconds: string;
  /** Whole seconds in decimal digits. */
  readonly dynamic_window: string;
  /** Standard deviations. */
  readonly dynamic_variability: number;
  /** Assertions (`ledger/compliance/rules/assertion.ts`). */
  readonly richness_assertions: readonly Alternatives[];
  /** Absent where a text is read the same without it. */
  readonly condition_syntax?: ConditionSyntax;
  /** The time of events by which it judges. Absent: that of their acceptance. */
  readonly judged_by?: JudgedBy;
  /** Absent where no bound is ordered otherwise with it. */
  readonly value_order?: ValueOrder;
}

/** Members that records of policies have in payload 0x03 only. */
type Additions = 'condition_syntax' | 'judged_by' | 'value_order';

/** One version of a policy: its creation, or its deletion. */
export interface PolicyRecord extends PolicyContent {
  readonly type: 'policy';
  /** `compliance_policies/<uuid>/versions/<uuid>`. */
  readonly identity: string;
  /** Identity of the version that it replaces; empty in the first one. Absent in records of 0.1. */
  readonly follows?: string;
  /** Whether this record deletes the policy; its other fields repeat the policy's content. */
  readonly is_deleted: boolean;
  readonly timestamp_accepted: string;
  readonly principal_accepted: Principal;
}

const INT64_MAX = 2n ** 63n - 1n;

/** Whether a value is a text of whole seconds in decimal digits, less than 2^63. */
export const isSeconds = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{1,19}$/.test(value) && BigInt(value) <= INT64_MAX;

const isAlternatives = (value: unknown): boolean =>
  isJsonObject(value) && Object.keys(value).length === 1 && Array.isArray(value.or) && value.or.every(isString);

/** Whether a value is a list of alternatives. */
export const areAlternatives = (value: unknown): boolean => Array.isArray(value) && value.every(isAlternatives);

const CHECKS: Checks<Required<Omit<PolicyRecord, Additions>>> = {
  type: (value) => value === 'policy',
  identity: isVersionOf('compliance_policies/'),
  follows: isFollows('compliance_policies/'),
  compliance_type: (value) => (COMPLIANCE_TYPES as readonly unknown[]).includes(value),
  display_name: isString,
  description: isString,
  asset_filter: areAlternatives,
  event_display_type: isString,
  closing_event_display_type: isString,
  time_period_seconds: isSeconds,
  dynamic_window: isSeconds,
  dynamic_variability: (value) => Number.isFinite(value),
  richness_assertions: areAlternatives,
  is_deleted: (value) => typeof value === 'boolean',
  timestamp_accepted: isTimestamp,
  principal_accepted: isPrincipal,
};

/** Whether a value names a syntax of conditions. */
export const isConditionSyntax = (value: unknown): value is ConditionSyntax => value === 'escaped' || value === 'paths';

/** Checks of the members that records of policies have in payload 0x03 only. */
export const POLICY_ADDITIONS: Checks<Required<Pick<PolicyRecord, Additions>>> = {
  condition_syntax: isConditionSyntax,
  judged_by: (value) => value === 'declared',
  value_order: (value) => value === 'typed',
};

/** Whether an untrusted value is the record of a policy in payload 0x01: with all of its fields, or those of 0.1. */
export const isPolicyRecord = (value: unknown): value is PolicyRecord =>
  isJsonObject(value) && hasFields({ follows: FOLLOWS_NONE, ...value }, CHECKS);

/** A compliance policy as the API shows it. */
export interface PolicyResource extends PolicyContent {
  readonly identity: string;
}

/** The resource of a policy record. */
export const toPolicyResource = (record: PolicyRecord & AppendedAgain): PolicyResource => {
  const { type: _, follows, is_deleted, timestamp_accepted, principal_accepted, ...content } = withoutPlaces(record);
  return { ...content, identity: toStreamIdentityOf(record) };
};
