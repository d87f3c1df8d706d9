// Begins to serve requested tenants, as soon as the ledger has admitted them or registered this server's key, without a
// restart. Each step is found done or not when it is repeated, so that it continues after a kill anywhere.
import { sendRoleCall } from '../../chain/administration.ts';
import { createTenantRoles } from '../../chain/tenantRoles.ts';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toUuid } from '../../ledger/identity.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import type { Ledger } from '../openLedger.ts';
import type { PendingTenant } from '../wallets/pendingTenants.ts';
import { toAdministratorName, toAuthorName } from '../wallets/tenantWallets.ts';
import { toFirstRecords } from './firstRecords.ts';

/** The part of a ledger that is used. */
export type StartedLedger = Pick<
  Ledger,
  'chain' | 'contract' | 'keyring' | 'wallets' | 'relayer' | 'issuer' | 'view' | 'writer' | 'now'
>;

const describe = ({ tenantIdentity, first }: PendingTenant): string =>
  first === undefined ? tenantIdentity : `${first.name} (${tenantIdentity})`;

/** Begins to serve one tenant after the other. */
export interface TenantStart {
  /**
   * Continues with a tenant. Resolves with whether it is served now: false while others haven't answered its request.
   * @throws LedgerError TENANT_EXISTS when the tenant has another administrator: it is never served.
   */
  advance(tenant: PendingTenant): Promise<boolean>;
}

/** `signal` ends every wait, and nothing is written afterwards. `onLine` gets a line for each step. */
export const createTenantStart = (
  ledger: StartedLedger,
  onLine: (line: string) => void,
  signal: AbortSignal,
): TenantStart => {
  const { chain, contract, keyring, wallets, relayer, view, writer } = ledger;
  const roles = createTenantRoles(chain, contract);

  const isAdmitted = async (tenant: PendingTenant): Promise<boolean> => {
    const current = await roles.findAdministrator(tenant.tenantIdentity);
    if (current === undefined) return false;
    const { address } = await keyring.requireWallet(toAdministratorName(toUuid(tenant.tenantIdentity)));
    if (current === address) return true;
    const message = `${describe(tenant)} was admitted with another administrator, ${current}, so it is not served; request it with another name`;
    throw new LedgerError('TENANT_EXISTS', { message });
  };

  // Whether this server's key is registered; registers it where the administrator's key is here.
  const register = async (tenant: PendingTenant): Promise<boolean> => {
    const { tenantIdentity, first } = tenant;
    const { address: account } = await keyring.openWallet(toAuthorName(toUuid(tenantIdentity)));
    if (await roles.isWriter(tenantIdentity, account)) return true;
    if (first === undefined || !(await isAdmitted(tenant))) return false;
    onLine(`tenant ${describe(tenant)} is admitted; this server's key is being registered`);
    const wallet = await keyring.requireWallet(toAdministratorName(toUuid(tenantIdentity)));
    const call = { name: 'addWriter', tenantIdentity, account } as const;
    await sendRoleCall({ chain, contract, wallet, payer: relayer, signal }, call);
    return true;
  };

  // An accepted record is in the index, or in the outbox until it is; the view shows both.
  const append = async (tenantIdentity: string, record: LedgerRecord): Promise<void> => {
    const { confirmation_status: status } = await writer.append(tenantIdentity, record);
    if (status === 'FAILED') throw new LedgerError('TRANSACTION_REFUSED', { message: `${record.identity} is refused` });
  };

  const recordFirst = async ({ tenantIdentity, first, servedSince }: PendingTenant): Promise<void> => {
    if (first === undefined) return;
    const origin = { tenantIdentity, issuer: ledger.issuer, timestamp: servedSince! };
    const { tenant, application } = toFirstRecords(first, origin);
    const [hasTenant, hasApplication] = [
      await view.readTenant(tenantIdentity),
      await view.readApplication(first.clientId),
    ];
    await Promise.all([
      ...(hasTenant === undefined ? [append(tenantIdentity, tenant)] : []),
      ...(hasApplication === undefined ? [append(tenantIdentity, application)] : []),
    ]);
  };

  return {
    advance: async (tenant) => {
      const { tenantIdentity } = tenant;
      const isBegun = tenant.servedSince !== undefined;
      if (!isBegun && !(await register(tenant))) return false;
      signal.throwIfAborted();
      const begun = isBegun ? tenant : { ...tenant, servedSince: toTimestamp(ledger.now()) };
      if (!isBegun) await keyring.pendingTenants.write(begun);
      await wallets.add(tenantIdentity);
      signal.throwIfAborted();
      await recordFirst(begun);
      await keyring.pendingTenants.remove(tenantIdentity);
      onLine(`tenant ${describe(tenant)} is served`);
      return true;
    },
  };
};
