// An application: whoever calls by a client id and a secret, as the newest version of its record says (decision 37). Its secret is
// known to nobody but its owner: here is its hash, and what the API shows of it is empty but once.
import { toUuid } from '../identity.ts';
import { toStreamIdentityOf } from '../records/record.ts';
import type { ApplicationRecord, Role } from '../records/tenant.ts';

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
