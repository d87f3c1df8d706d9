// Creates tenants: their keys, their admission to the contract, their first records.
import { randomUUID } from 'node:crypto';
import { admitTenant } from '../chain/administration.ts';
import { toTimestamp } from '../ledger/encoding/timestamp.ts';
import { LedgerError } from '../ledger/errors.ts';
import { toApplicationIdentity, toTenantIdentity, toVersionIdentity } from '../ledger/identity.ts';
import { type Principal, toPrincipal } from '../ledger/principal.ts';
import type { ApplicationRecord } from '../ledger/records/application.ts';
import type { TenantRecord } from '../ledger/records/tenant.ts';
import { FOLLOWS_NONE } from '../ledger/records/version.ts';
import { newClientSecret, toSecretHash } from '../server/auth/clientSecret.ts';
import type { Ledger } from './openLedger.ts';

/** Name of the tenant that the first start creates. */
export const FIRST_TENANT = 'default';

const FIXED_TENANTS =
  'SERVED_TENANTS lists the tenants of this server, and a new one would not be among them; create it without that setting';

/** A new tenant with the credentials of its first application. */
export interface CreatedTenant {
  readonly identity: string;
  readonly displayName: string;
  readonly clientId: string;
  /** Delivered once; the ledger has only its hash. */
  readonly clientSecret: string;
}

const TENANT_NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$/;

/** The tenant that an operator requests. */
export interface NewTenant {
  readonly name: string;
  /** A subject of another issuer that is also a root principal; it may remove this server's own root principal. */
  readonly root?: Pick<Principal, 'issuer' | 'subject'> | undefined;
}

const assertRoot = ({ root }: NewTenant): void => {
  if (root === undefined || [root.issuer, root.subject].every((text) => text !== '' && text.length <= 1024)) return;
  const message = 'issuer and subject of the root principal have 1 to 1,024 characters each';
  throw new LedgerError('REQUEST_INVALID', { message, violations: [{ field: 'root', description: message }] });
};

const assertName = async (ledger: Ledger, name: string): Promise<void> => {
  if (!TENANT_NAME.test(name)) {
    const message =
      'a tenant name is 1 to 63 letters, digits, spaces, dots, dashes or underscores, a letter or digit first';
    throw new LedgerError('REQUEST_INVALID', { message, violations: [{ field: 'name', description: message }] });
  }
  if ((await ledger.view.readTenantIdentity(name)) !== undefined) throw new LedgerError('TENANT_EXISTS');
};

const assertFounder = ({ isJoined }: Ledger): void => {
  if (!isJoined) return;
  const message =
    "the ledger's founder admits tenants; request one with: npm run tenant -- request NAME, and send the founder its line";
  throw new LedgerError('FORBIDDEN', { message });
};

const toRootPrincipal = (ledger: Ledger, tenantIdentity: string, displayName: string): Principal =>
  toPrincipal({ issuer: ledger.issuer, subject: `root@${tenantIdentity}`, display_name: `root of ${displayName}` });

interface Stamp {
  readonly timestamp_accepted: string;
  readonly principal_accepted: Principal;
}

const newTenantRecord = (tenantIdentity: string, { name, root }: NewTenant, stamp: Stamp): TenantRecord => ({
  type: 'tenant',
  identity: toVersionIdentity(tenantIdentity, randomUUID()),
  follows: FOLLOWS_NONE,
  display_name: name,
  root_principals: [stamp.principal_accepted, ...(root === undefined ? [] : [toPrincipal(root)])],
  ...stamp,
});

const newApplicationRecord = (clientId: string, clientSecret: string, stamp: Stamp): ApplicationRecord => ({
  type: 'application',
  identity: toVersionIdentity(toApplicationIdentity(clientId), randomUUID()),
  follows: FOLLOWS_NONE,
  display_name: 'first application',
  roles: ['writer', 'administrator'],
  custom_claims: {},
  secret_sha256: toSecretHash(clientSecret),
  secret_valid_from: stamp.timestamp_accepted,
  is_deleted: false,
  ...stamp,
});

/**
 * Creates a tenant with a root principal and one application. `onSecret` is called before the records of the tenant are
 * accepted, so that no failure after that loses the secret.
 * @throws LedgerError REQUEST_INVALID about the name or the root principal, TENANT_EXISTS, or FORBIDDEN when another
 * installation admits the ledger's tenants.
 */
export const createTenant = async (
  ledger: Ledger,
  tenant: NewTenant,
  atMs: number,
  onSecret: (tenant: CreatedTenant) => void = () => undefined,
): Promise<CreatedTenant> => {
  const displayName = tenant.name;
  assertFounder(ledger);
  assertRoot(tenant);
  if (!ledger.serving.isOpen) throw new LedgerError('REQUEST_INVALID', { message: FIXED_TENANTS });
  await assertName(ledger, displayName);
  const identity = toTenantIdentity(randomUUID());
  const clientId = randomUUID();
  const clientSecret = newClientSecret();
  const { author, administrator } = await ledger.wallets.create(identity);
  const wallets = {
    ledgerAdministrator: await ledger.keyring.openWallet('ledger-administrator'),
    tenantAdministrator: administrator,
    writer: author,
  };
  await admitTenant(ledger.chain, ledger.contract, identity, wallets, ledger.relayer);
  const stamp: Stamp = {
    timestamp_accepted: toTimestamp(atMs),
    principal_accepted: toRootPrincipal(ledger, identity, displayName),
  };
  const created = { identity, displayName, clientId, clientSecret };
  onSecret(created);
  await Promise.all([
    ledger.writer.append(identity, newTenantRecord(identity, tenant, stamp)),
    ledger.writer.append(identity, newApplicationRecord(clientId, clientSecret, stamp)),
  ]);
  return created;
};
