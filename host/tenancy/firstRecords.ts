// The first records of a tenant: the tenant itself, with its root principals, and one application.
import { randomUUID } from 'node:crypto';
import { LedgerError } from '../../ledger/errors.ts';
import { toApplicationIdentity, toVersionIdentity } from '../../ledger/identity.ts';
import { type Principal, toPrincipal } from '../../ledger/principal.ts';
import type { ApplicationRecord } from '../../ledger/records/application.ts';
import type { TenantRecord } from '../../ledger/records/tenant.ts';
import { FOLLOWS_NONE } from '../../ledger/records/version.ts';
import { newClientSecret, toSecretHash } from '../../server/auth/clientSecret.ts';
import type { FirstRecords } from '../wallets/pendingTenants.ts';

/** The tenant that an operator requests. */
export interface NewTenant {
  readonly name: string;
  /** A subject of another issuer that is also a root principal; it may remove this server's own root principal. */
  readonly root?: Pick<Principal, 'issuer' | 'subject'> | undefined;
}

const TENANT_NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$/;

/**
 * Checks a new tenant by itself.
 * @throws LedgerError REQUEST_INVALID about its root principal or its name.
 */
export const assertNewTenant = ({ name, root }: NewTenant): void => {
  if (root !== undefined && [root.issuer, root.subject].some((text) => text === '' || text.length > 1024)) {
    const message = 'issuer and subject of the root principal have 1 to 1,024 characters each';
    throw new LedgerError('REQUEST_INVALID', { message, violations: [{ field: 'root', description: message }] });
  }
  if (!TENANT_NAME.test(name)) {
    const message =
      'a tenant name is 1 to 63 letters, digits, spaces, dots, dashes or underscores, a letter or digit first';
    throw new LedgerError('REQUEST_INVALID', { message, violations: [{ field: 'name', description: message }] });
  }
};

/** The first records of a new tenant, with the secret of its application, of which they have only the hash. */
export const newFirstRecords = ({ name, root }: NewTenant): { first: FirstRecords; clientSecret: string } => {
  const clientSecret = newClientSecret();
  const [clientId, tenantVersion, applicationVersion] = [randomUUID(), randomUUID(), randomUUID()];
  const secretHash = toSecretHash(clientSecret);
  return { first: { name, root, clientId, secretHash, tenantVersion, applicationVersion }, clientSecret };
};

/** A tenant, the issuer of its ledger, and the time of its first records. */
interface Origin {
  readonly tenantIdentity: string;
  readonly issuer: string;
  readonly timestamp: string;
}

/** The records themselves. */
export const toFirstRecords = (
  first: FirstRecords,
  { tenantIdentity, issuer, timestamp }: Origin,
): { tenant: TenantRecord; application: ApplicationRecord } => {
  const { name, root, clientId } = first;
  const own = toPrincipal({ issuer, subject: `root@${tenantIdentity}`, display_name: `root of ${name}` });
  const stamp = { timestamp_accepted: timestamp, principal_accepted: own };
  const tenant: TenantRecord = {
    type: 'tenant',
    identity: toVersionIdentity(tenantIdentity, first.tenantVersion),
    follows: FOLLOWS_NONE,
    display_name: name,
    root_principals: [own, ...(root === undefined ? [] : [toPrincipal(root)])],
    ...stamp,
  };
  const application: ApplicationRecord = {
    type: 'application',
    identity: toVersionIdentity(toApplicationIdentity(clientId), first.applicationVersion),
    follows: FOLLOWS_NONE,
    display_name: 'first application',
    roles: ['writer', 'administrator'],
    custom_claims: {},
    secret_sha256: first.secretHash,
    secret_valid_from: timestamp,
    is_deleted: false,
    ...stamp,
  };
  return { tenant, application };
};
