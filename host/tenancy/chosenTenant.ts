// The tenant that a command is for: the one that is named, else the first one of a ledger, else the only one.
import { LedgerError } from '../../ledger/errors.ts';
import type { Ledger } from '../openLedger.ts';
import { listOwnTenants } from '../servedTenants.ts';
import { FIRST_TENANT } from '../tenants.ts';

/** How a command names a tenant: servers of earlier versions don't know that a default isn't the caller's choice. */
export interface TenantChoice {
  readonly tenant: string;
  /** Whether the caller named no tenant. */
  readonly isDefault: boolean;
}

type NamedLedger = Pick<Ledger, 'view' | 'wallets' | 'serving'>;

/** The choice of a caller who may have named a tenant. */
export const toTenantChoice = (tenant: string | undefined): TenantChoice => ({
  tenant: tenant ?? FIRST_TENANT,
  isDefault: tenant === undefined,
});

const refuse = (message: string): LedgerError => new LedgerError('TENANT_NOT_FOUND', { message });

const listNames = async (ledger: NamedLedger): Promise<string[]> => {
  const identities = new Set([...listOwnTenants(ledger), ...ledger.serving.regardless]);
  const tenants = await Promise.all([...identities].map((identity) => ledger.view.readTenant(identity)));
  return tenants.flatMap((tenant) => (tenant === undefined ? [] : [tenant.display_name])).sort();
};

const toText = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

const chooseName = (names: readonly string[]): string => {
  const [only, ...others] = names;
  if (only === undefined) throw refuse('this server has no tenant yet; npm run tenant -- list shows what it waits for');
  if (others.length > 0) throw refuse(`this server has several tenants; name one with --tenant: ${toText(names)}`);
  return only;
};

/**
 * The identity and name of the tenant of a choice.
 * @throws LedgerError TENANT_NOT_FOUND that names the tenants of this server when none was named and it has several, or
 * none.
 */
export const chooseTenant = async (
  ledger: NamedLedger,
  { tenant, isDefault }: TenantChoice,
): Promise<{ readonly tenantIdentity: string; readonly name: string }> => {
  const found = await ledger.view.readTenantIdentity(tenant);
  if (found !== undefined) return { tenantIdentity: found, name: tenant };
  const names = await listNames(ledger);
  if (!isDefault) {
    const known = names.length === 0 ? '' : `; this server has ${toText(names)}`;
    throw refuse(`no tenant is named ${JSON.stringify(tenant)}${known}`);
  }
  const name = chooseName(names);
  return { tenantIdentity: (await ledger.view.readTenantIdentity(name))!, name };
};
