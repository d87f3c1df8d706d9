// Which tenants a server serves: those whose author's key is or was here, or those that SERVED_TENANTS lists. Its index
// has those of SHARING_TENANTS besides. On the embedded chain, which belongs to one installation, it serves all.
import type { Follower } from '../indexer/follower.ts';
import { readTenantIdentities } from '../indexer/inventory.ts';
import type { ServedTenants, SharingTenants } from '../indexer/servedTenants.ts';
import type { IndexStore } from '../indexer/store.ts';
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
  /** Those that are served with or without a key: of SERVED_TENANTS, or else of the index at the start. */
  readonly regardless: readonly string[];
  /** Identities of SHARING_TENANTS. */
  readonly sharing: readonly string[];
  /** Whether a new tenant can begin to be served without a change of SERVED_TENANTS. */
  readonly isOpen: boolean;
}

const toTenantKey = (tenantIdentity: string): Hex => toHex(toKey(tenantIdentity));

/** The keys of tenants. */
export const toTenantKeys = (identities: readonly string[]): SharingTenants => new Set(identities.map(toTenantKey));

// Tenants of the index are read on when their key was lost. Tenants that are added while the process runs are served
// from then on.
const createOwn = (wallets: TenantWallets, indexed: readonly string[]) => {
  let served: ReadonlySet<Hex> = new Set([...wallets.tenantIdentities(), ...indexed].map(toTenantKey));
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

const createServing = (
  read: () => ServedTenants,
  { regardless, sharing, isOpen }: Pick<Serving, 'regardless' | 'sharing' | 'isOpen'>,
): Serving => ({
  read,
  regardless,
  sharing,
  isOpen,
  assertServed: (tenantIdentity) => {
    if (read()?.has(toTenantKey(tenantIdentity)) ?? true) return;
    const message = `this server does not serve ${tenantIdentity}: SERVED_TENANTS does not list it, or its author's key is not in DATA_DIR/keys`;
    throw new LedgerError('TENANT_NOT_FOUND', { message });
  },
});

/** Identities of the tenants of an index. Of a damaged one, which is going to be rebuilt, perhaps not all. */
export const readIndexedTenants = async (store: IndexStore): Promise<string[]> => {
  const found: string[] = [];
  try {
    for await (const tenantIdentity of readTenantIdentities(store)) found.push(tenantIdentity);
  } catch (error) {
    if (store.damage.found() === undefined) throw error;
  }
  return found;
};

/** What decides which tenants a server serves, besides its keys. */
export interface ServedOptions {
  readonly isEmbedded: boolean;
  /** Identities of SERVED_TENANTS. */
  readonly listed: readonly string[] | undefined;
  /** Identities of SHARING_TENANTS. */
  readonly sharing: readonly string[];
  /** Identities of the tenants that the index has records of. */
  readonly indexed: readonly string[];
}

/**
 * The tenants of a server: those of SERVED_TENANTS; without it those of the wallets and of the index, and each tenant
 * that is added to the wallets, once the index of `follower` serves it.
 */
export const openServing = (
  wallets: TenantWallets,
  { isEmbedded, listed, sharing, indexed }: ServedOptions,
  readFollower: () => Pick<Follower, 'refresh'> | undefined,
): Serving => {
  if (isEmbedded) return createServing(() => undefined, { regardless: [], sharing: [], isOpen: true });
  if (listed !== undefined) {
    const fixed = toTenantKeys(listed);
    return createServing(() => fixed, { regardless: listed, sharing, isOpen: false });
  }
  const own = createOwn(wallets, indexed);
  wallets.onAdded(async (tenantIdentity) => {
    own.add(tenantIdentity);
    try {
      await readFollower()?.refresh();
    } catch (cause) {
      own.remove(tenantIdentity);
      throw cause;
    }
  });
  return createServing(own.read, { regardless: indexed, sharing, isOpen: true });
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
