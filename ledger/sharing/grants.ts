// What access policies grant. Policies may come from any writer on the chain: what isn't a condition matches no asset,
// and what isn't a claim names no principal.
import { type AttributeCondition, meets, parseCondition } from '../compliance/assetFilter.ts';
import type { AccessPermission, AccessPolicy } from '../records/accessPolicy.ts';
import type { Attributes } from '../records/attributes.ts';
import type { ConditionSyntax } from '../records/policy.ts';
import { type Claims, parseUserClaim, type UserClaim } from './userClaim.ts';

/** Names of behaviours, attributes or display types. */
export type Names = 'all' | ReadonlySet<string>;

/** Conditions on an asset's attributes: it meets one of each list. Empty: every asset. */
export type AssetFilters = readonly (readonly AttributeCondition[])[];

/** One permission of an access policy, with the policy's filters. */
export interface Grant {
  readonly filters: AssetFilters;
  /** Identities of the owner's subjects: the grant is for the tenants that they stand for. */
  readonly subjects: readonly string[];
  /** A principal has one claim of each list. */
  readonly userAttributes: readonly (readonly UserClaim[])[];
  readonly behaviours: Names;
  readonly attributesRead: Names;
  readonly attributesWrite: Names;
  readonly typesRead: Names;
  readonly typesWrite: Names;
}

/** What an event does, as far as grants are about it. */
export interface GrantedEvent {
  readonly behaviour: string;
  /** Undefined if the event has none. */
  readonly displayType: string | undefined;
  /** Names of the asset's attributes that the event sets. */
  readonly attributes: readonly string[];
}

/** The name that stands for all of them. */
export const ALL_NAMES = '*';

const toNames = (names: readonly string[]): Names => (names.includes(ALL_NAMES) ? 'all' : new Set(names));

const isNone = (names: Names): boolean => names !== 'all' && names.size === 0;

/** Whether names include a name; undefined is included in `all` only. */
export const includesName = (names: Names, name: string | undefined): boolean =>
  names === 'all' || (name !== undefined && names.has(name));

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

const toGrant = (filters: AssetFilters, permission: AccessPermission, syntax: ConditionSyntax | undefined): Grant => ({
  filters,
  subjects: permission.subjects,
  userAttributes: permission.user_attributes.map(({ or }) =>
    or.map((text) => parseUserClaim(text, syntax)).filter(isDefined),
  ),
  behaviours: toNames(permission.behaviours),
  attributesRead: toNames([...permission.include_attributes, ...permission.asset_attributes_read]),
  attributesWrite: toNames(permission.asset_attributes_write),
  typesRead: toNames(permission.event_arc_display_type_read),
  typesWrite: toNames(permission.event_arc_display_type_write),
});

/** The filters of an access policy. No asset meets a text that isn't a condition. */
export const toAssetFilters = ({
  filters,
  condition_syntax: syntax,
}: Pick<AccessPolicy, 'filters' | 'condition_syntax'>): AssetFilters =>
  filters.map(({ or }) => or.map((text) => parseCondition(text, syntax)).filter(isDefined));

/** The grants of an access policy: one for each of its permissions, in their order. */
export const toGrants = (
  policy: Pick<AccessPolicy, 'filters' | 'access_permissions' | 'condition_syntax'>,
): Grant[] => {
  const filters = toAssetFilters(policy);
  return policy.access_permissions.map((permission) => toGrant(filters, permission, policy.condition_syntax));
};

// A policy may have many texts, and a principal many groups.
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();
const setOf = (texts: readonly string[]): ReadonlySet<string> => {
  const set = sets.get(texts) ?? new Set(texts);
  sets.set(texts, set);
  return set;
};

/**
 * Whether a grant is for a principal with these claims of a tenant that it is for. Of a claim of several texts, one
 * is enough. A grant without user attributes is for all principals of the tenants of its subjects; one without subjects
 * too is for nobody.
 */
export const isForPrincipal = ({ subjects, userAttributes }: Grant, claims: Claims): boolean => {
  const has = ({ name, value }: UserClaim): boolean => {
    const held = Object.hasOwn(claims, name) ? claims[name] : undefined;
    return typeof held === 'object' ? setOf(held).has(value) : held === value;
  };
  return subjects.length + userAttributes.length > 0 && userAttributes.every((list) => list.some(has));
};

/** Whether a grant is about an asset with these attributes. */
export const matchesAsset = ({ filters }: Pick<Grant, 'filters'>, attributes: Attributes): boolean =>
  filters.every((list) => list.some((condition) => meets(condition, attributes)));

/** Whether a grant lets its principals see the assets that it is about. */
export const allowsRead = ({ attributesRead, typesRead }: Grant): boolean =>
  !isNone(attributesRead) || !isNone(typesRead);

/** Whether a grant lets its principals record events on the assets that it is about. */
export const allowsContributions = ({ behaviours, typesWrite }: Pick<Grant, 'behaviours' | 'typesWrite'>): boolean =>
  !isNone(behaviours) && !isNone(typesWrite);

/**
 * Whether a grant allows to record an event on the assets that it is about: it names the behaviour, the display type
 * and all attributes.
 */
export const allowsWrite = (grant: Grant, { behaviour, displayType, attributes }: GrantedEvent): boolean =>
  includesName(grant.behaviours, behaviour) &&
  includesName(grant.typesWrite, displayType) &&
  attributes.every((name) => includesName(grant.attributesWrite, name));
