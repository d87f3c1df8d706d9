// The record of one version of an access policy: what other tenants, and applications without a role, may read and
// write of the assets that its filters match. The newest version in the stream holds; all of them stay on the ledger.
import { isTimestamp } from '../encoding/timestamp.ts';
import { toStreamIdentityOf } from '../identity.ts';
import { isPrincipal, type Principal } from '../principal.ts';
import { areStrings, type Checks, hasFields, isString, isVersionOf } from './fieldChecks.ts';
import { type Alternatives, areAlternatives, type ConditionSyntax, isConditionSyntax } from './policy.ts';
import { isFollows } from './version.ts';

/** What an access policy permits, and whom. `*` in a list of names stands for all of them. */
export interface AccessPermission {
  /** Identities of subjects: the permission is for the tenants that they stand for. */
  readonly subjects: readonly string[];
  /** Claims (`ledger/sharing/userClaim.ts`): the permission is for principals with one of each list. */
  readonly user_attributes: readonly Alternatives[];
  /** Behaviours of the events that may be recorded. */
  readonly behaviours: readonly string[];
  /** The older form of `asset_attributes_read`. */
  readonly include_attributes: readonly string[];
  /** Names of the asset's attributes that may be read. */
  readonly asset_attributes_read: readonly string[];
  /** Names of the asset's attributes that an event may set. */
  readonly asset_attributes_write: readonly string[];
  /** Display types of the events that may be read. */
  readonly event_arc_display_type_read: readonly string[];
  /** Display types of the events that may be recorded. */
  readonly event_arc_display_type_write: readonly string[];
}

/** The fields of an access policy that clients set. */
export interface AccessPolicyContent {
  readonly display_name: string;
  readonly description: string;
  /** Conditions (`ledger/compliance/assetFilter.ts`); the asset meets one of each list. Empty: every asset. */
  readonly filters: readonly Alternatives[];
  readonly access_permissions: readonly AccessPermission[];
  /** Absent where a text is read the same without it. */
  readonly condition_syntax?: ConditionSyntax;
}

/** One version of an access policy. */
export interface AccessPolicyRecord extends AccessPolicyContent {
  readonly type: 'access_policy';
  /** `access_policies/<uuid>/versions/<uuid>`. */
  readonly identity: string;
  /** Identity of the version that it replaces; empty in the first one. */
  readonly follows: string;
  /** Whether this record deletes the policy; its other fields repeat the policy's content. */
  readonly is_deleted: boolean;
  readonly timestamp_accepted: string;
  readonly principal_accepted: Principal;
}

const PERMISSION_CHECKS: Checks<AccessPermission> = {
  subjects: areStrings,
  user_attributes: areAlternatives,
  behaviours: areStrings,
  include_attributes: areStrings,
  asset_attributes_read: areStrings,
  asset_attributes_write: areStrings,
  event_arc_display_type_read: areStrings,
  event_arc_display_type_write: areStrings,
};

const CHECKS: Checks<Omit<AccessPolicyRecord, 'condition_syntax'>> = {
  type: (value) => value === 'access_policy',
  identity: isVersionOf('access_policies/'),
  follows: isFollows('access_policies/'),
  display_name: isString,
  description: isString,
  filters: areAlternatives,
  access_permissions: (value) => Array.isArray(value) && value.every((each) => hasFields(each, PERMISSION_CHECKS)),
  is_deleted: (value) => typeof value === 'boolean',
  timestamp_accepted: isTimestamp,
  principal_accepted: isPrincipal,
};

/** Checks of the members that records of access policies have in payload 0x03 only. */
export const ACCESS_POLICY_ADDITIONS: Checks<Required<Pick<AccessPolicyRecord, 'condition_syntax'>>> = {
  condition_syntax: isConditionSyntax,
};

/** Whether an untrusted value is a version of an access policy in payload 0x01, with all fields and no others. */
export const isAccessPolicyRecord = (value: unknown): value is AccessPolicyRecord => hasFields(value, CHECKS);

/** An access policy, as its newest version defines it. */
export interface AccessPolicy extends AccessPolicyContent {
  readonly identity: string;
}

/** The access policy as of a version; undefined where the version deletes it. */
export const toAccessPolicy = (record: AccessPolicyRecord): AccessPolicy | undefined =>
  record.is_deleted
    ? undefined
    : {
        identity: toStreamIdentityOf(record),
        display_name: record.display_name,
        description: record.description,
        filters: record.filters,
        access_permissions: record.access_permissions,
        ...(record.condition_syntax === undefined ? {} : { condition_syntax: record.condition_syntax }),
      };
