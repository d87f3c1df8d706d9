// An application's record, and what its versions say.
import { isTimestamp } from '../encoding/timestamp.ts';
import { toStreamIdentityOf, toUuid } from '../identity.ts';
import { isPrincipal, type Principal } from '../principal.ts';
import { isJsonObject } from './attributes.ts';
import { type Checks, hasFields, isName, isVersionOf } from './fieldChecks.ts';

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

const isString = (value: unknown): boolean => typeof value === 'string';

const CHECKS: Checks<Required<ApplicationRecord>> = {
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

// What a record of the first form doesn't say.
const UNSAID = { custom_claims: {}, secret_valid_from: '1970-01-01T00:00:00.000Z', is_deleted: false };

/** Whether a value from outside is a version of an application, with all of its fields, or those of its first form, and no others. */
export const isApplicationRecord = (value: unknown): value is ApplicationRecord =>
  isJsonObject(value) && hasFields({ ...UNSAID, ...value }, CHECKS);

/** What the ledger knows of an application. */
export interface Application {
  /** `applications/<uuid>`; the UUID is the client id. */
  readonly identity: string;
  readonly display_name: string;
  /** Empty: it may do nothing. */
  readonly roles: readonly Role[];
  /** Claims of its own that its tokens carry. */
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
    /** Empty but in the answer that the secret was made for. */
    readonly secret: string;
    readonly valid_from: string;
    /** Empty: until another one is made. */
    readonly valid_until: '';
  }[];
}

/** The application that a version says; undefined when it takes it back. */
export const toApplication = (record: ApplicationRecord): Application | undefined =>
  record.is_deleted === true
    ? undefined
    : {
        identity: toStreamIdentityOf(record),
        display_name: record.display_name,
        roles: record.roles,
        custom_claims: record.custom_claims ?? {},
        secret_sha256: record.secret_sha256,
        secret_valid_from: record.secret_valid_from ?? record.timestamp_accepted,
      };

/** The application as the API shows it; `secret` in the answer that creates it alone. */
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
