// The tenants of this server and what they wait for, as an operator sees them.
import { createTenantRoles, type TenantRoles } from '../../chain/tenantRoles.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { toUuid } from '../../ledger/identity.ts';
import type { Ledger } from '../openLedger.ts';
import { toAuthorName } from '../wallets/tenantWallets.ts';
import { findAdministratorWallet } from './tenantAnswers.ts';

/**
 * What a tenant waits for. `requested`: the ledger's founder; `joining`: the tenant's administrator; `admitted`: this
 * server, which is about to serve it; `serving`: nothing; `removed`: the administrator has removed this server's key;
 * `reading`: nothing, since it is served without a key, to read only; `sharing`: nothing, since it isn't served, and
 * only indexed for what it shares.
 */
export type TenantState = 'requested' | 'joining' | 'admitted' | 'serving' | 'removed' | 'reading' | 'sharing';

/** A tenant of this server. */
export interface ListedTenant {
  readonly tenantIdentity: string;
  /** Undefined while nothing of the tenant is indexed here, and for one that isn't served. */
  readonly name: string | undefined;
  /** Undefined when the ledger hasn't admitted the tenant. */
  readonly administrator: Hex | undefined;
  /** Whether the key of an administrator is here. */
  readonly isAdministeredHere: boolean;
  /** Address of this server's author; undefined without a key: to read only, or killed while it was requested. */
  readonly writer: Hex | undefined;
  readonly state: TenantState;
}

type ListedLedger = Pick<Ledger, 'chain' | 'contract' | 'keyring' | 'wallets' | 'view' | 'serving'>;

const toState = async (
  roles: TenantRoles,
  { tenantIdentity, administrator, writer }: Pick<ListedTenant, 'tenantIdentity' | 'administrator' | 'writer'>,
  waitsFor: 'founder' | 'administrator' | undefined,
): Promise<TenantState> => {
  const isWriter = writer !== undefined && (await roles.isWriter(tenantIdentity, writer));
  if (waitsFor === undefined) return isWriter ? 'serving' : 'removed';
  if (waitsFor === 'administrator') return isWriter ? 'admitted' : 'joining';
  return administrator === undefined ? 'requested' : 'admitted';
};

// The key of an administrator before, who has handed the tenant over, may be here too.
const hasAdministratorKey = async (
  keyring: ListedLedger['keyring'],
  tenantIdentity: string,
  administrator: Hex | undefined,
): Promise<boolean> =>
  administrator !== undefined &&
  (await findAdministratorWallet({ keyring }, tenantIdentity))?.address === administrator;

// Those that are served without a key here, then those that aren't served and share records.
const listOthers = async (
  { serving, view }: ListedLedger,
  roles: TenantRoles,
  written: ReadonlySet<string>,
): Promise<ListedTenant[]> => {
  const list = async (tenantIdentity: string, state: TenantState): Promise<ListedTenant> => ({
    tenantIdentity,
    name: (await view.readTenant(tenantIdentity))?.display_name,
    administrator: await roles.findAdministrator(tenantIdentity),
    isAdministeredHere: false,
    writer: undefined,
    state,
  });
  const reading = [...new Set(serving.regardless)].filter((identity) => !written.has(identity));
  const served = new Set([...written, ...reading]);
  const sharing = serving.sharing.filter((identity) => !served.has(identity));
  return Promise.all([
    ...reading.map((identity) => list(identity, 'reading')),
    ...sharing.map((identity) => list(identity, 'sharing')),
  ]);
};

/** All tenants whose authors' keys are here, then those that are served to read only, and those that only share. */
export const listTenants = async (ledger: ListedLedger): Promise<ListedTenant[]> => {
  const { chain, contract, keyring, wallets, view } = ledger;
  const roles = createTenantRoles(chain, contract);
  const names = new Set(await keyring.listWallets());
  const pending = new Map((await keyring.pendingTenants.list()).map((tenant) => [tenant.tenantIdentity, tenant]));
  const listed: ListedTenant[] = [];
  const written = new Set([...wallets.tenantIdentities(), ...pending.keys()]);
  for (const tenantIdentity of written) {
    const { first, servedSince } = pending.get(tenantIdentity) ?? { servedSince: 'always' };
    const waitsFor = first === undefined ? 'administrator' : 'founder';
    const author = toAuthorName(toUuid(tenantIdentity));
    const writer = names.has(author) ? (await keyring.requireWallet(author)).address : undefined;
    const administrator = await roles.findAdministrator(tenantIdentity);
    const tenant = { tenantIdentity, writer, administrator };
    const name = (await view.readTenant(tenantIdentity))?.display_name ?? first?.name;
    const state = await toState(roles, tenant, servedSince === undefined ? waitsFor : undefined);
    const isAdministeredHere = await hasAdministratorKey(keyring, tenantIdentity, administrator);
    listed.push({ ...tenant, name, isAdministeredHere, state });
  }
  return [...listed, ...(await listOthers(ledger, roles, written))];
};
