// Each tenant's two keys: the author, who signs its records, and the administrator, who says which authors may.

import type { Wallet } from '../chain/wallet.ts';
import { toUuid } from '../ledger/identity.ts';
import type { Keyring } from './keyring.ts';

export interface TenantWallets {
  /** Makes the wallets of a new tenant. */
  create(tenantIdentity: string): Promise<{ author: Wallet; administrator: Wallet }>;
  /** The author of a tenant. @throws Error when this installation doesn't have its key. */
  authorOf(tenantIdentity: string): Wallet;
}

const AUTHOR_FILE = /^tenant-author-([0-9a-f-]{36})$/;
/** Name of the wallet that signs a tenant's records. */
export const toAuthorName = (tenantUuid: string): string => `tenant-author-${tenantUuid}`;
/** Name of the wallet that says which authors a tenant has. */
export const toAdministratorName = (tenantUuid: string): string => `tenant-administrator-${tenantUuid}`;

/** Opens the wallets of all tenants that have keys here. */
export const openTenantWallets = async (keyring: Keyring): Promise<TenantWallets> => {
  const authors = new Map<string, Wallet>();
  for (const name of await keyring.listWallets()) {
    const uuid = AUTHOR_FILE.exec(name)?.[1];
    if (uuid !== undefined) authors.set(uuid, await keyring.openWallet(name));
  }
  return {
    create: async (tenantIdentity) => {
      const uuid = toUuid(tenantIdentity);
      const author = await keyring.openWallet(toAuthorName(uuid));
      authors.set(uuid, author);
      return { author, administrator: await keyring.openWallet(toAdministratorName(uuid)) };
    },
    authorOf: (tenantIdentity) => {
      const author = authors.get(toUuid(tenantIdentity));
      if (author !== undefined) return author;
      throw new Error(`the key of ${tenantIdentity} is not in DATA_DIR/keys; restore it from a backup`);
    },
  };
};
