// The tenants of this server and what they wait for, as an operator sees them.
import { createTenantRoles, type TenantRoles } from '../../chain/tenantRoles.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { toUuid } from '../../ledger/identity.ts';
import type { Ledger } from '../openLedger.ts';
import { toAuthorName } from '../wallets/tenantWallets.ts';
import { listAdministered } from './tenantAnswers.ts';

/**
 * What a tenant waits for. `requested`: the ledger's founder; `joining`: the tenant's administrator; `admitted`: this
 * server, which is about to serve it; `serving`: nothing; `removed`: the administrator has removed this server's key.
 */
export type TenantState = 'requested' | 'joining' | 'admitted' | 'serving' | 'removed';

/** A tenant of this server. */
export interface ListedTenant {
  readonly tenantIdentity: string;
  /** Undefined while nothing of the tenant is indexed here. */
  readonly name: string | undefined;
  /** Undefined when the ledger hasn't admitted the tenant. */
  readonly administrator: Hex | undefined;
  /** Whether the key of an administrator is here. */
  readonly isAdministeredHere: boolean;
  /** Address of this server's author. */
  readonly writer: Hex;
  readonly state: TenantState;
}

type ListedLedger = Pick<Ledger, 'chain' | 'contract' | 'keyring' | 'wallets' | 'view'>;

const toState = async (
  roles: TenantRoles,
  { tenantIdentity, writer, administrator }: Pick<ListedTenant, 'tenantIdentity' | 'writer' | 'administrator'>,
  waitsFor: 'founder' | 'administrator' | undefined,
): Promise<TenantState> => {
  const isWriter = await roles.isWriter(tenantIdentity, writer);
  if (waitsFor === undefined) return isWriter ? 'serving' : 'removed';
  if (waitsFor === 'administrator') return isWriter ? 'admitted' : 'joining';
  return administrator === undefined ? 'requested' : 'admitted';
};

/** All tenants whose authors' keys are here. */
export const listTenants = async (ledger: ListedLedger): Promise<ListedTenant[]> => {
  const { chain, contract, keyring, wallets, view } = ledger;
  const roles = createTenantRoles(chain, contract);
  const administered = await listAdministered(ledger);
  const pending = new Map((await keyring.pendingTenants.list()).map((tenant) => [tenant.tenantIdentity, tenant]));
  const listed: ListedTenant[] = [];
  for (const tenantIdentity of new Set([...wallets.tenantIdentities(), ...pending.keys()])) {
    const { first, servedSince } = pending.get(tenantIdentity) ?? { servedSince: 'always' };
    const waitsFor = first === undefined ? 'administrator' : 'founder';
    const { address: writer } = await keyring.requireWallet(toAuthorName(toUuid(tenantIdentity)));
    const administrator = await roles.findAdministrator(tenantIdentity);
    const tenant = { tenantIdentity, writer, administrator };
    const name = (await view.readTenant(tenantIdentity))?.display_name ?? first?.name;
    const state = await toState(roles, tenant, servedSince === undefined ? waitsFor : undefined);
    listed.push({ ...tenant, name, isAdministeredHere: administered.includes(tenantIdentity), state });
  }
  return listed;
};
