// The record of a compliance policy: its creation, and later perhaps its deletion. Policies don't change in between (decisions 41, 49).

import { isTimestamp } from '../encoding/timestamp.ts';
import { toStreamIdentityOf } from '../identity.ts';
import { isPrincipal, type Principal } from '../principal.ts';
import { isJsonObject } from './attributes.ts';
import { type Checks, hasFields, isVersionOf } from './fieldChecks.ts';

export const COMPLIANCE_TYPES = [
  'COMPLIANCE_SINCE',
  'COMPLIANCE_CURRENT_OUTSTANDING',
  'COMPLIANCE_PERIOD_OUTSTANDING',
  'COMPLIANCE_DYNAMIC_TOLERANCE',
  'COMPLIANCE_RICHNESS',
] as const;
export type ComplianceType = (typeof COMPLIANCE_TYPES)[number];

/** Alternatives, of which one must hold. */
export interface Alternatives {
  readonly or: readonly string[];
}

/** What a policy demands; fields that its type doesn't use are empty. */
export interface PolicyContent {
  readonly compliance_type: ComplianceType;
  readonly display_name: string;
  readonly description: string;
  readonly asset_filter: readonly Alternatives[];
  readonly event_display_type: string;
  readonly closing_event_display_type: string;
  /** Whole seconds in decimal digits. */
  readonly time_period_seconds: string;
  /** Whole seconds in decimal digits. */
  readonly dynamic_window: string;
  readonly dynamic_variability: number;
  readonly richness_assertions: readonly Alternatives[];
}

export interface PolicyRecord extends PolicyContent {
  readonly type: 'policy';
  /** `compliance_policies/<uuid>/versions/<uuid>`. */
  readonly identity: string;
  /** Whether this record takes the policy back. It says again what the policy was. */
  readonly is_deleted: boolean;
  readonly timestamp_accepted: string;
  readonly principal_accepted: Principal;
}

const isString = (value: unknown): boolean => typeof value === 'string';
const INT64_MAX = 2n ** 63n - 1n;

/** Whether a text is whole seconds in decimal digits that fit into 64 bits with a sign. */
export const isSeconds = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{1,19}$/.test(value) && BigInt(value) <= INT64_MAX;

const isAlternatives = (value: unknown): boolean =>
  isJsonObject(value) && Object.keys(value).length === 1 && Array.isArray(value.or) && value.or.every(isString);
const areAlternatives = (value: unknown): boolean => Array.isArray(value) && value.every(isAlternatives);

const CHECKS: Checks<PolicyRecord> = {
  type: (value) => value === 'policy',
  identity: isVersionOf('compliance_policies/'),
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

/** Whether a value from outside is the record of a policy, with all of its fields and no others. */
export const isPolicyRecord = (value: unknown): value is PolicyRecord => hasFields(value, CHECKS);

/** A compliance policy as the API shows it. */
export interface PolicyResource extends PolicyContent {
  readonly identity: string;
}

/** The policy as the API shows it. */
export const toPolicyResource = (record: PolicyRecord): PolicyResource => {
  const { type: _type, is_deleted, timestamp_accepted, principal_accepted, ...content } = record;
  return { ...content, identity: toStreamIdentityOf(record) };
};
