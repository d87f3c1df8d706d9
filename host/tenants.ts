// Creates tenants: their keys, their admission to the contract, their first records.
import { randomUUID } from 'node:crypto';
import { admitTenant } from '../chain/administration.ts';
import { toTimestamp } from '../ledger/encoding/timestamp.ts';
import { LedgerError } from '../ledger/errors.ts';
import { toTenantIdentity } from '../ledger/identity.ts';
import type { Ledger } from './openLedger.ts';
import { assertNewTenant, type NewTenant, newFirstRecords, toFirstRecords } from './tenancy/firstRecords.ts';

/** Name of the tenant that the first start creates. */
export const FIRST_TENANT = 'default';

/** Why a new tenant is refused where SERVED_TENANTS lists all. */
export const FIXED_TENANTS =
  'SERVED_TENANTS lists the tenants of this server, and a new one would not be among them; create it without that setting';

/** A new tenant with the credentials of its first application. */
export interface CreatedTenant {
  readonly identity: string;
  readonly displayName: string;
  readonly clientId: string;
  /** Delivered once; the ledger has only its hash. */
  readonly clientSecret: string;
}

/** @throws LedgerError TENANT_EXISTS when a tenant has the name, or one that is not served yet. */
export const assertFreeName = async ({ view, keyring }: Ledger, name: string): Promise<void> => {
  const pending = await keyring.pendingTenants.list();
  if (pending.some(({ first }) => first?.name === name) || (await view.readTenantIdentity(name)) !== undefined)
    throw new LedgerError('TENANT_EXISTS');
};

const assertFounder = ({ isJoined }: Ledger): void => {
  if (!isJoined) return;
  const message =
    "the ledger's founder admits tenants; request one with: npm run tenant -- request NAME, and send the founder its line";
  throw new LedgerError('FORBIDDEN', { message });
};

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
  if (!ledger.serving.isOpen) throw new LedgerError('REQUEST_INVALID', { message: FIXED_TENANTS });
  assertNewTenant(tenant);
  await assertFreeName(ledger, displayName);
  const identity = toTenantIdentity(randomUUID());
  const { first, clientSecret } = newFirstRecords(tenant);
  const { author, administrator } = await ledger.wallets.create(identity);
  const wallets = {
    ledgerAdministrator: await ledger.keyring.openWallet('ledger-administrator'),
    tenantAdministrator: administrator,
    writer: author,
  };
  await admitTenant(ledger.chain, ledger.contract, identity, wallets, ledger.relayer);
  const created = { identity, displayName, clientId: first.clientId, clientSecret };
  onSecret(created);
  const origin = { tenantIdentity: identity, issuer: ledger.issuer, timestamp: toTimestamp(atMs) };
  const { tenant: record, application } = toFirstRecords(first, origin);
  await Promise.all([ledger.writer.append(identity, record), ledger.writer.append(identity, application)]);
  return created;
};
