// Checks that the contract knows the keys that sign the tenants' records. A key with one changed digit would sign
// records that the contract refuses, and each of them would be FAILED.
import { type Deployment, wasEverWriter } from '../../chain/administration.ts';
import { raiseIfMistake } from '../../chain/defects.ts';
import type { ChainPort } from '../../chain/port.ts';
import { readTenantIdentities } from '../../indexer/inventory.ts';
import type { IndexStore } from '../../indexer/store.ts';
import type { Serving } from '../servedTenants.ts';
import type { RemovedWriters } from '../wallets/removedWriters.ts';
import type { TenantWallets } from '../wallets/tenantWallets.ts';

// With SERVED_TENANTS, a tenant without a key is one that is served to read only. A key that is pending isn't missing.
const isMissing = (wallets: TenantWallets, tenantIdentity: string, isListed: boolean): boolean =>
  !isListed && !wallets.isPending(tenantIdentity);

/**
 * Excludes the tenants whose key is missing, or was never a writer's. A key that the tenant's administrator has removed
 * stays: the contract refuses it. If the nodes of a network don't answer, the problem is reported and no tenant whose
 * key is here is excluded.
 */
export const excludeUnknownAuthors = async (
  {
    chain,
    deployment,
    store,
    serving,
  }: { chain: ChainPort; deployment: Deployment; store: IndexStore; serving: Serving },
  wallets: TenantWallets,
  onProblem: (message: string, cause?: unknown) => void,
): Promise<void> => {
  for await (const tenantIdentity of readTenantIdentities(store)) {
    const address = wallets.findAddress(tenantIdentity);
    if (address === undefined) {
      if (isMissing(wallets, tenantIdentity, !serving.isOpen)) onProblem(wallets.exclude(tenantIdentity).message);
      continue;
    }
    try {
      if (await wasEverWriter(chain, deployment, tenantIdentity, address)) continue;
      onProblem(wallets.exclude(tenantIdentity).message);
    } catch (cause) {
      raiseIfMistake(cause);
      onProblem(`the key that signs the records of ${tenantIdentity} could not be compared with the ledger`, cause);
    }
  }
};

/** Finds the tenants whose author here is no writer any more. A tenant for which no node answers is left out. */
export const checkWriters = async (
  store: IndexStore,
  wallets: TenantWallets,
  { check }: RemovedWriters,
): Promise<void> => {
  for await (const tenantIdentity of readTenantIdentities(store))
    if (wallets.findAddress(tenantIdentity) !== undefined) await check(tenantIdentity).catch(raiseIfMistake);
};
