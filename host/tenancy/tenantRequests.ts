// Requests that another organisation or another server answers: to admit a tenant of this server, or to register this
// server's key as a writer of a tenant. Repeating one gives the same line: a lost line is no lost tenant.
import { randomUUID } from 'node:crypto';
import { isWriter } from '../../chain/isWriter.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import { parseTenantIdentity, toTenantIdentity, toUuid } from '../../ledger/identity.ts';
import { encodeRequestLine } from '../../ledger/tenancy/requestLine.ts';
import { createSecretFile } from '../files/secretFile.ts';
import type { Ledger } from '../openLedger.ts';
import { assertFreeName, FIXED_TENANTS } from '../tenants.ts';
import type { PendingTenant } from '../wallets/pendingTenants.ts';
import { toAdministratorName } from '../wallets/tenantWallets.ts';
import { assertNewTenant, type NewTenant, newFirstRecords } from './firstRecords.ts';

/** A request, with what the organisation that answers it needs. */
export interface RequestedTenant {
  readonly tenantIdentity: string;
  readonly line: string;
}

/** A request for a new tenant. */
export interface RequestedNewTenant extends RequestedTenant {
  readonly name: string;
  readonly clientId: string;
  /** Undefined when a file has it, or when the tenant was requested before: it is shown once. */
  readonly clientSecret?: string;
  readonly secretFile?: string;
}

/** Tenants that may be requested and not served yet. */
export const PENDING_TENANTS_MAX = 100;

type RequestParts = Pick<Ledger, 'chain' | 'contract' | 'keyring' | 'wallets' | 'serving'>;

const assertFew = (pending: readonly PendingTenant[]): void => {
  if (pending.length < PENDING_TENANTS_MAX) return;
  throw refuseField('REQUEST_INVALID', 'name', `${PENDING_TENANTS_MAX} tenants are requested and not served yet`);
};

const toTenantLine = async ({ chain, contract, keyring }: RequestParts, tenantIdentity: string): Promise<string> => {
  const { address: account } = await keyring.openWallet(toAdministratorName(toUuid(tenantIdentity)));
  return encodeRequestLine({ kind: 'tenant', chainId: chain.chainId, contract, tenantIdentity, account });
};

const toCredentials = (name: string, clientId: string, clientSecret: string): string =>
  `# credentials of the first application of tenant ${name}\nclient_id=${clientId}\nclient_secret=${clientSecret}\n`;

const createRequest = async (
  ledger: Ledger,
  tenant: NewTenant,
  secretFile: string | undefined,
): Promise<RequestedNewTenant> => {
  await assertFreeName(ledger, tenant.name);
  const tenantIdentity = toTenantIdentity(randomUUID());
  const { first, clientSecret } = newFirstRecords(tenant);
  const { name, clientId } = first;
  const file = secretFile === undefined ? undefined : createSecretFile(secretFile);
  try {
    // Before the keys, so that no start serves a tenant that is only requested.
    await ledger.keyring.pendingTenants.write({ tenantIdentity, first });
    await ledger.wallets.createPending(tenantIdentity);
    const line = await toTenantLine(ledger, tenantIdentity);
    file?.write(toCredentials(name, clientId, clientSecret));
    const secret = secretFile === undefined ? { clientSecret } : { secretFile };
    return { tenantIdentity, line, name, clientId, ...secret };
  } catch (error) {
    file?.discard();
    throw error;
  }
};

/**
 * Requests a new tenant: creates its keys, and notes it durably. `secretFile` is the absolute path of a new file for
 * the secret of its first application.
 * @throws LedgerError REQUEST_INVALID about the tenant, TENANT_EXISTS when a served one has the name.
 */
export const requestTenant = async (
  ledger: Ledger,
  tenant: NewTenant,
  secretFile?: string,
): Promise<RequestedNewTenant> => {
  assertNewTenant(tenant);
  if (!ledger.serving.isOpen) throw new LedgerError('REQUEST_INVALID', { message: FIXED_TENANTS });
  const pending = await ledger.keyring.pendingTenants.list();
  const known = pending.find(({ first }) => first?.name === tenant.name);
  if (known?.first !== undefined) {
    const { tenantIdentity, first, servedSince } = known;
    // A kill after the note may have left no key.
    if (servedSince === undefined) await ledger.wallets.createPending(tenantIdentity);
    const line = await toTenantLine(ledger, tenantIdentity);
    return { tenantIdentity, line, name: first.name, clientId: first.clientId };
  }
  assertFew(pending);
  return createRequest(ledger, tenant, secretFile);
};

/**
 * Requests that this server may write for a tenant of another server of the same organisation: creates its own key, or
 * uses the one that was removed as a writer.
 * @throws LedgerError IDENTITY_INVALID when the text is no tenant's identity, TENANT_EXISTS when it is
 * written here, TENANT_NOT_FOUND when SERVED_TENANTS lacks it.
 */
export const requestWriter = async (ledger: RequestParts, text: string): Promise<RequestedTenant> => {
  const { chain, contract, keyring, wallets, serving } = ledger;
  const tenantIdentity = parseTenantIdentity(text);
  if (tenantIdentity === undefined) throw new LedgerError('IDENTITY_INVALID', { message: `${text} is no tenant` });
  const toLine = (account: Hex): string =>
    encodeRequestLine({ kind: 'writer', chainId: chain.chainId, contract, tenantIdentity, account });
  const present = wallets.findAddress(tenantIdentity);
  if (present !== undefined) {
    // A key that was removed as a writer can be registered again.
    if (!(await isWriter(chain, contract, tenantIdentity, present))) return { tenantIdentity, line: toLine(present) };
    throw new LedgerError('TENANT_EXISTS', { message: `this server writes for ${tenantIdentity} already` });
  }
  if (!serving.isOpen) serving.assertServed(tenantIdentity);
  const pending = await keyring.pendingTenants.list();
  const known = pending.find((tenant) => tenant.tenantIdentity === tenantIdentity);
  if (known?.first !== undefined)
    throw new LedgerError('TENANT_EXISTS', { message: `this server has requested ${tenantIdentity} itself` });
  if (known === undefined) {
    assertFew(pending);
    await keyring.pendingTenants.write({ tenantIdentity });
  }
  const { address: account } = await wallets.createPending(tenantIdentity);
  return { tenantIdentity, line: toLine(account) };
};
