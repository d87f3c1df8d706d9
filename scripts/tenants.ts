// Creation of a tenant: its keys, its admission to the contract, its first records.
import { createHash, randomBytes } from 'node:crypto';
import { v4 as newUuid } from 'uuid';
import { admitTenant } from '../chain/administration.ts';
import { LedgerError } from '../ledger/errors.ts';
import { toApplicationIdentity, toTenantIdentity, toVersionIdentity } from '../ledger/identity.ts';
import { type Principal, toPrincipal } from '../ledger/principal.ts';
import type { ApplicationRecord, TenantRecord } from '../ledger/tenancyRecord.ts';
import { toTimestamp } from '../ledger/timestamp.ts';
import type { Ledger } from './openLedger.ts';

export interface CreatedTenant {
  readonly identity: string;
  readonly displayName: string;
  readonly clientId: string;
  /** Shown once; the ledger has only its hash. */
  readonly clientSecret: string;
}

const TENANT_NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$/;

const assertName = async (ledger: Ledger, name: string): Promise<void> => {
  if (!TENANT_NAME.test(name)) {
    const message =
      'a tenant name is 1 to 63 letters, digits, spaces, dots, dashes or underscores, a letter or digit first';
    throw new LedgerError('REQUEST_INVALID', { message, violations: [{ field: 'name', description: message }] });
  }
  if ((await ledger.view.readTenantIdentity(name)) !== undefined) throw new LedgerError('TENANT_EXISTS');
};

/** Identity of the issuer of this ledger's own tokens and principals: it names the contract, so it never changes. */
export const toIssuer = (ledger: Pick<Ledger, 'chain' | 'contract'>): string =>
  `urn:provenance-ledger:${ledger.chain.chainId}:${ledger.contract}`;

const toRootPrincipal = (ledger: Ledger, tenantIdentity: string, displayName: string): Principal =>
  toPrincipal({ issuer: toIssuer(ledger), subject: `root@${tenantIdentity}`, display_name: `root of ${displayName}` });

interface Stamp {
  readonly timestamp_accepted: string;
  readonly principal_accepted: Principal;
}

const newTenantRecord = (tenantIdentity: string, displayName: string, stamp: Stamp): TenantRecord => ({
  type: 'tenant',
  identity: toVersionIdentity(tenantIdentity, newUuid()),
  display_name: displayName,
  root_principals: [stamp.principal_accepted],
  ...stamp,
});

const newApplicationRecord = (clientId: string, clientSecret: string, stamp: Stamp): ApplicationRecord => ({
  type: 'application',
  identity: toVersionIdentity(toApplicationIdentity(clientId), newUuid()),
  display_name: 'first application',
  roles: ['writer'],
  secret_sha256: createHash('sha256').update(clientSecret).digest('hex'),
  ...stamp,
});

/**
 * Creates a tenant with a root principal and one application. `announce` hears of it before its records are accepted, so that
 * a crash behind that can't take the secret with it.
 * @throws LedgerError REQUEST_INVALID or TENANT_EXISTS about the name.
 */
export const createTenant = async (
  ledger: Ledger,
  displayName: string,
  atMs: number,
  announce: (tenant: CreatedTenant) => void = () => undefined,
): Promise<CreatedTenant> => {
  await assertName(ledger, displayName);
  const identity = toTenantIdentity(newUuid());
  const clientId = newUuid();
  const clientSecret = randomBytes(32).toString('base64url');
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
  announce(created);
  await Promise.all([
    ledger.writer.append(identity, newTenantRecord(identity, displayName, stamp)),
    ledger.writer.append(identity, newApplicationRecord(clientId, clientSecret, stamp)),
  ]);
  return created;
};
