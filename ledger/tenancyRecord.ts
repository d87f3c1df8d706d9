// The records of tenancy: versions of a tenant (its name and root principals) and of an application (its roles and the
// hash of its secret). The newest version in the stream holds.
import { isPrincipal, type Principal } from './principal.ts';
import { isTimestamp } from './timestamp.ts';
import { type Checks, hasFields, isVersionOf } from './versionChecks.ts';

export interface TenantRecord {
  readonly type: 'tenant';
  /** `tenant/<uuid>/versions/<uuid>`. */
  readonly identity: string;
  readonly display_name: string;
  readonly root_principals: readonly Principal[];
  readonly timestamp_accepted: string;
  readonly principal_accepted: Principal;
}

export const ROLES = ['reader', 'writer'] as const;
export type Role = (typeof ROLES)[number];

export interface ApplicationRecord {
  readonly type: 'application';
  /** `applications/<uuid>/versions/<uuid>`; the UUID of the application is its client id. */
  readonly identity: string;
  readonly display_name: string;
  readonly roles: readonly Role[];
  /** SHA-256 of the client secret, lower-case hexadecimal. The secret is 256 random bits, so a plain hash hides it. */
  readonly secret_sha256: string;
  readonly timestamp_accepted: string;
  readonly principal_accepted: Principal;
}

const isName = (value: unknown): boolean => typeof value === 'string' && value.length > 0;

const TENANT_CHECKS: Checks<TenantRecord> = {
  type: (value) => value === 'tenant',
  identity: isVersionOf('tenant/'),
  display_name: isName,
  root_principals: (value) => Array.isArray(value) && value.length > 0 && value.every(isPrincipal),
  timestamp_accepted: isTimestamp,
  principal_accepted: isPrincipal,
};

const APPLICATION_CHECKS: Checks<ApplicationRecord> = {
  type: (value) => value === 'application',
  identity: isVersionOf('applications/'),
  display_name: isName,
  roles: (value) => Array.isArray(value) && value.every((role) => (ROLES as readonly unknown[]).includes(role)),
  secret_sha256: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  timestamp_accepted: isTimestamp,
  principal_accepted: isPrincipal,
};

/** Whether a value from outside is a version of a tenant, with all of its fields and no others. */
export const isTenantRecord = (value: unknown): value is TenantRecord => hasFields(value, TENANT_CHECKS);

/** Whether a value from outside is a version of an application, with all of its fields and no others. */
export const isApplicationRecord = (value: unknown): value is ApplicationRecord => hasFields(value, APPLICATION_CHECKS);
