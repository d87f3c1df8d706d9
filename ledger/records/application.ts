// The record of one version of an application, a client that authenticates with a client id and a secret (decision 37).
// The newest version in the stream holds. The service keeps only the hash of the secret and shows the secret once, when
// it is created.
import { isTimestamp } from '../encoding/timestamp.ts';
import { toStreamIdentityOf, toUuid } from '../identity.ts';
import { isPrincipal, type Principal } from '../principal.ts';
import { isJsonObject } from './attributes.ts';
import { type Checks, hasFields, isName, isString, isVersionOf } from './fieldChecks.ts';
import { FOLLOWS_NONE, isFollows } from './version.ts';

/** The roles of applications, from the fewest rights to the most. */
export const ROLES = ['reader', 'writer', 'policies', 'auditor', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/** Roles that `roles` of a record can't name: records have them in `added_roles`, in payload 0x03 only. */
const ADDED_ROLES = ['policies'] as const satisfies readonly Role[];
type AddedRole = (typeof ADDED_ROLES)[number];
type FirstRole = Exclude<Role, AddedRole>;

const isAddedRole = (role: unknown): role is AddedRole => (ADDED_ROLES as readonly unknown[]).includes(role);
const isFirstRole = (role: unknown): role is FirstRole =>
  (ROLES as readonly unknown[]).includes(role) && !isAddedRole(role);

/** One version of an application. */
export interface ApplicationRecord {
  readonly type: 'application';
  /** `applications/<uuid>/versions/<uuid>`; the UUID of the application is its client id. */
  readonly identity: string;
  /** Identity of the version that it replaces; empty in the first one. Absent in records of 0.1. */
  readonly follows?: string;
  readonly display_name: string;
  readonly roles: readonly FirstRole[];
  /** Roles besides `roles`; not empty. Absent: none. */
  readonly added_roles?: readonly AddedRole[];
  /** SHA-256 of the client secret, lower-case hexadecimal. The secret is 256 random bits, so a plain hash hides it. */
  readonly secret_sha256: string;
  /** Claims that its tokens have besides the standard ones. Absent in the first form of this record: none. */
  readonly custom_claims?: Readonly<Record<string, string>>;
  /** When the secret was created. Absent in the first form: when the record was accepted. */
  readonly secret_valid_from?: string;
  /**
   * Whether this record deletes the application; its other fields repeat the application's content. Absent in the first
   * form: false.
   */
  readonly is_deleted?: boolean;
  readonly timestamp_accepted: string;
  readonly principal_accepted: Principal;
}

const CHECKS: Checks<Required<Omit<ApplicationRecord, 'added_roles'>>> = {
  type: (value) => value === 'application',
  identity: isVersionOf('applications/'),
  follows: isFollows('applications/'),
  display_name: isName,
  roles: (value) => Array.isArray(value) && value.every(isFirstRole),
  secret_sha256: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  custom_claims: (value) => isJsonObject(value) && Object.values(value).every(isString),
  secret_valid_from: isTimestamp,
  is_deleted: (value) => typeof value === 'boolean',
  timestamp_accepted: isTimestamp,
  principal_accepted: isPrincipal,
};

// Valid values for the fields that records of earlier forms don't have.
const ABSENT = {
  follows: FOLLOWS_NONE,
  custom_claims: {},
  secret_valid_from: '1970-01-01T00:00:00.000Z',
  is_deleted: false,
};

/** Checks of the members that records of applications have in payload 0x03 only. */
export const APPLICATION_ADDITIONS: Checks<Required<Pick<ApplicationRecord, 'added_roles'>>> = {
  added_roles: (value) => Array.isArray(value) && value.length === 1 && isAddedRole(value[0]),
};

/** The members of a record that name these roles. */
export const toRecordedRoles = (roles: readonly Role[]): Pick<ApplicationRecord, 'roles' | 'added_roles'> => {
  const added = ROLES.filter(isAddedRole).filter((role) => roles.includes(role));
  return { roles: roles.filter(isFirstRole), ...(added.length === 0 ? {} : { added_roles: added }) };
};

// In the order of ROLES where some are added, as the API orders them; else as they are recorded.
const toRoles = ({ roles, added_roles: added }: ApplicationRecord): readonly Role[] =>
  added === undefined ? roles : ROLES.filter((role) => [...roles, ...added].includes(role));

/**
 * Whether an untrusted value is a version of an application in payload 0x01, with all of its fields, or all of an
 * earlier form, and no others.
 */
export const isApplicationRecord = (value: unknown): value is ApplicationRecord =>
  isJsonObject(value) && hasFields({ ...ABSENT, ...value }, CHECKS);

/** An application, as its newest version defines it. */
export interface Application {
  /** `applications/<uuid>`; the UUID is the client id. */
  readonly identity: string;
  readonly display_name: string;
  /** Empty: it has no rights. */
  readonly roles: readonly Role[];
  /** Claims that its tokens have besides the standard ones. */
  readonly custom_claims: Readonly<Record<string, string>>;
  /** SHA-256 of the client secret, lower-case hexadecimal. */
  readonly secret_sha256: string;
  readonly secret_valid_from: string;
}

/** An application as the API shows it. */
export interface ApplicationResource {
  readonly identity: string;
  readonly display_name: string;
  readonly client_id: string;
  readonly tenant_id: string;
  readonly custom_claims: Readonly<Record<string, string>>;
  readonly roles: readonly Role[];
  readonly credentials: readonly {
    /** Empty, except in the response to the request that created the secret. */
    readonly secret: string;
    readonly valid_from: string;
    /** Empty: the secret is valid until another one is created. */
    readonly valid_until: '';
  }[];
}

/** The application as of a version; undefined where the version deletes it. */
export const toApplication = (record: ApplicationRecord): Application | undefined =>
  record.is_deleted === true
    ? undefined
    : {
        identity: toStreamIdentityOf(record),
        display_name: record.display_name,
        roles: toRoles(record),
        custom_claims: record.custom_claims ?? {},
        secret_sha256: record.secret_sha256,
        secret_valid_from: record.secret_valid_from ?? record.timestamp_accepted,
      };

/** The resource of an application. `secret` is only given in the response to the request that created it. */
export const toApplicationResource = (
  { identity, display_name, roles, custom_claims, secret_valid_from }: Application,
  tenantIdentity: string,
  secret = '',
): ApplicationResource => ({
  identity,
  display_name,
  client_id: toUuid(identity),
  tenant_id: tenantIdentity,
  custom_claims,
  roles,
  credentials: [{ secret, valid_from: secret_valid_from, valid_until: '' }],
});
