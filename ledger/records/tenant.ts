// The records of tenancy: versions of a tenant (its name and root principals) and of an application (its roles, its claims and the
// hash of its secret). The newest version in the stream holds.

import { isTimestamp } from '../encoding/timestamp.ts';
import { isPrincipal, type Principal } from '../principal.ts';
import { isJsonObject } from './attributes.ts';
import { type Checks, hasFields, isVersionOf } from './fieldChecks.ts';

export interface TenantRecord {
  readonly type: 'tenant';
  /** `tenant/<uuid>/versions/<uuid>`. */
  readonly identity: string;
  readonly display_name: string;
  readonly root_principals: readonly Principal[];
  readonly timestamp_accepted: string;
  readonly principal_accepted: Principal;
}

/** What applications may be, from the one that may least to the one that may most. */
export const ROLES = ['reader', 'writer', 'auditor', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

export interface ApplicationRecord {
  readonly type: 'application';
  /** `applications/<uuid>/versions/<uuid>`; the UUID of the application is its client id. */
  readonly identity: string;
  readonly display_name: string;
  readonly roles: readonly Role[];
  /** SHA-256 of the client secret, lower-case hexadecimal. The secret is 256 random bits, so a plain hash hides it. */
  readonly secret_sha256: string;
  /** Claims of its own that its tokens carry. Absent in the first form of this record: none. */
  readonly custom_claims?: Readonly<Record<string, string>>;
  /** When the secret was made. Absent in the first form: when the record was accepted. */
  readonly secret_valid_from?: string;
  /** Whether this record takes the application back. It says again what the application was. Absent in the first form: not. */
  readonly is_deleted?: boolean;
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

const isString = (value: unknown): boolean => typeof value === 'string';

const APPLICATION_CHECKS: Checks<Required<ApplicationRecord>> = {
  type: (value) => value === 'application',
  identity: isVersionOf('applications/'),
  display_name: isName,
  roles: (value) => Array.isArray(value) && value.every((role) => (ROLES as readonly unknown[]).includes(role)),
  secret_sha256: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  custom_claims: (value) => isJsonObject(value) && Object.values(value).every(isString),
  secret_valid_from: isTimestamp,
  is_deleted: (value) => typeof value === 'boolean',
  timestamp_accepted: isTimestamp,
  principal_accepted: isPrincipal,
};

/** Whether a value from outside is a version of a tenant, with all of its fields and no others. */
export const isTenantRecord = (value: unknown): value is TenantRecord => hasFields(value, TENANT_CHECKS);

// What a record of the first form doesn't say.
const UNSAID = { custom_claims: {}, secret_valid_from: '1970-01-01T00:00:00.000Z', is_deleted: false };

/** Whether a value from outside is a version of an application, with all of its fields, or those of its first form, and no others. */
export const isApplicationRecord = (value: unknown): value is ApplicationRecord =>
  isJsonObject(value) && hasFields({ ...UNSAID, ...value }, APPLICATION_CHECKS);
