// Which tenants a server serves: those whose author's key is here, or those that SERVED_TENANTS lists. On the embedded
// chain, which belongs to one installation, it serves all.
import type { Follower } from '../indexer/follower.ts';
import type { ServedTenants } from '../indexer/servedTenants.ts';
import { type Hex, toHex } from '../ledger/encoding/hex.ts';
import { LedgerError } from '../ledger/errors.ts';
import { toKey } from '../ledger/identity.ts';
import type { TenantWallets } from './wallets/tenantWallets.ts';

/** The tenants that a server serves. */
export interface Serving {
  /** Their keys; undefined: all of the ledger. Another set is another object. */
  read(): ServedTenants;
  /** @throws LedgerError TENANT_NOT_FOUND for a tenant that isn't served. */
  assertServed(tenantIdentity: string): void;
  /** Those of SERVED_TENANTS; empty without it. */
  readonly listed: readonly string[];
  /** Whether a new tenant can begin to be served without a change of SERVED_TENANTS. */
  readonly isOpen: boolean;
}

const toTenantKey = (tenantIdentity: string): Hex => toHex(toKey(tenantIdentity));

// Tenants that are added while the process runs are served from then on.
const createOwn = (wallets: TenantWallets) => {
  let served: ReadonlySet<Hex> = new Set(wallets.tenantIdentities().map(toTenantKey));
  return {
    read: (): ReadonlySet<Hex> => served,
    add: (tenantIdentity: string): void => {
      served = new Set([...served, toTenantKey(tenantIdentity)]);
    },
    remove: (tenantIdentity: string): void => {
      served = new Set([...served].filter((tenant) => tenant !== toTenantKey(tenantIdentity)));
    },
  };
};

const createServing = (read: () => ServedTenants, listed?: readonly string[]): Serving => ({
  read,
  listed: listed ?? [],
  isOpen: listed === undefined,
  assertServed: (tenantIdentity) => {
    if (read()?.has(toTenantKey(tenantIdentity)) ?? true) return;
    const message = `this server does not serve ${tenantIdentity}: SERVED_TENANTS does not list it, or its author's key is not in DATA_DIR/keys`;
    throw new LedgerError('TENANT_NOT_FOUND', { message });
  },
});

/**
 * The tenants of a server. `listed`: those of SERVED_TENANTS; without it those of the wallets, and each tenant that is
 * added there, once the index of `follower` serves it.
 */
export const openServing = (
  wallets: TenantWallets,
  { isEmbedded, listed }: { readonly isEmbedded: boolean; readonly listed: readonly string[] | undefined },
  readFollower: () => Pick<Follower, 'refresh'> | undefined,
): Serving => {
  if (isEmbedded) return createServing(() => undefined);
  if (listed !== undefined) {
    const fixed = new Set(listed.map(toTenantKey));
    return createServing(() => fixed, listed);
  }
  const own = createOwn(wallets);
  wallets.onAdded(async (tenantIdentity) => {
    own.add(tenantIdentity);
    try {
      await readFollower()?.refresh();
    } catch (cause) {
      own.remove(tenantIdentity);
      throw cause;
    }
  });
  return createServing(own.read);
};

/** Identities of the tenants that are served and whose author's key is here. */
export const listOwnTenants = ({
  wallets,
  serving,
}: {
  readonly wallets: Pick<TenantWallets, 'tenantIdentities'>;
  readonly serving: Pick<Serving, 'read'>;
}): string[] => {
  const served = serving.read();
  return wallets.tenantIdentities().filter((identity) => served?.has(toTenantKey(identity)) ?? true);
};
