// The public keys of the accounts that sign a tenant's records. Other tenants create subjects with them.
import { toHex } from '../ledger/encoding/hex.ts';
import type { Ledger } from './openLedger.ts';

/**
 * Returns a function that returns the public keys with which this server signs the records of a tenant, each as
 * `isWalletKey` describes it. It throws TENANT_PENDING or AUTHOR_UNAVAILABLE as `authorOf` does.
 */
export const createReadAuthorKeys =
  ({ wallets }: Pick<Ledger, 'wallets'>) =>
  (tenantIdentity: string): readonly string[] => {
    const { publicKey } = wallets.authorOf(tenantIdentity);
    return [`04${toHex(publicKey).slice(2)}`];
  };
