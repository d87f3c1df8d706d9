// Converts a client's request to a version of an access policy. Pure, like newEvent.ts.
import { parseSubjectIdentity } from '../../ledger/identity.ts';
import type {
  AccessPermission,
  AccessPolicy,
  AccessPolicyContent,
  AccessPolicyRecord,
} from '../../ledger/records/accessPolicy.ts';
import type { Version } from '../../ledger/records/version.ts';
import { toNextAccessPolicy, withSyntax } from '../../ledger/sharing/accessPolicySyntax.ts';
import type { HandlerRequest } from '../openapi/handlers.ts';
import type { Acceptance } from './acceptance.ts';

/** What a client sends to create an access policy. */
export type NewAccessPolicy = HandlerRequest<'createAccessPolicy'>['body'];
/** What a client sends to change an access policy; a missing member stays as it is. */
export type AccessPolicyChanges = HandlerRequest<'updateAccessPolicy'>['body'];

type NewPermission = NewAccessPolicy['access_permissions'][number];

// A text that names no subject is refused later, by its place.
const toPermission = (intent: NewPermission): AccessPermission => ({
  subjects: (intent.subjects ?? []).map((text) => parseSubjectIdentity(text) ?? text),
  user_attributes: intent.user_attributes ?? [],
  behaviours: intent.behaviours ?? [],
  include_attributes: intent.include_attributes ?? [],
  asset_attributes_read: intent.asset_attributes_read ?? [],
  asset_attributes_write: intent.asset_attributes_write ?? [],
  event_arc_display_type_read: intent.event_arc_display_type_read ?? [],
  event_arc_display_type_write: intent.event_arc_display_type_write ?? [],
});

/** The content of a new access policy; lists that the client left out are empty. */
export const toAccessPolicyContent = (intent: NewAccessPolicy): AccessPolicyContent =>
  withSyntax({
    display_name: intent.display_name,
    description: intent.description ?? '',
    filters: intent.filters,
    access_permissions: intent.access_permissions.map(toPermission),
  });

/** The members of a changed access policy that the client sent. */
export const toAccessPolicyChanges = (changes: AccessPolicyChanges): Partial<AccessPolicyContent> => ({
  ...(changes.display_name === undefined ? {} : { display_name: changes.display_name }),
  ...(changes.description === undefined ? {} : { description: changes.description }),
  ...(changes.filters === undefined ? {} : { filters: changes.filters }),
  ...(changes.access_permissions === undefined
    ? {}
    : { access_permissions: changes.access_permissions.map(toPermission) }),
});

/** An access policy with some of its members replaced by new ones, and what it keeps restated in their syntax. */
export const toChangedAccessPolicy = (policy: AccessPolicy, changes: Partial<AccessPolicyContent>): AccessPolicy => ({
  identity: policy.identity,
  ...toNextAccessPolicy(policy, changes),
});

/** The record of one version of an access policy, which follows another one or none. */
export const toAccessPolicyRecord = (
  { display_name, description, filters, access_permissions, condition_syntax }: AccessPolicyContent,
  { identity, follows }: Required<Version>,
  isDeleted: boolean,
  acceptance: Acceptance,
): AccessPolicyRecord => ({
  type: 'access_policy',
  identity,
  follows,
  display_name,
  description,
  filters,
  access_permissions,
  ...(condition_syntax === undefined ? {} : { condition_syntax }),
  is_deleted: isDeleted,
  timestamp_accepted: acceptance.atTimestamp,
  principal_accepted: acceptance.principal,
});

/** An access policy as the API shows it. */
export interface AccessPolicyResource extends AccessPolicy {
  /** Identity of the tenant that owns the policy. */
  readonly tenant: string;
}

/** The resource of an access policy of a tenant. */
export const toAccessPolicyResource = (policy: AccessPolicy, tenantIdentity: string): AccessPolicyResource => ({
  ...policy,
  tenant: tenantIdentity,
});
