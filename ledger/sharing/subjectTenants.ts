// For which tenant a subject stands.
import type { Hex } from '../encoding/hex.ts';
import { type SubjectRecord, toWalletAddress } from '../records/subject.ts';

/** The addresses of a subject's wallets, in lower case; none of a deleted one, and of one that there isn't. */
export const toSubjectAddresses = (record: SubjectRecord | undefined): ReadonlySet<Hex> =>
  new Set(record === undefined || record.is_deleted ? [] : record.wallet_pub_key.map(toWalletAddress));

/**
 * Whether addresses stand for a tenant: they are authors of records of this tenant, and of no other.
 * @param tenantsOf the tenants, in any form, of whose records an address is an author.
 */
export const standForTenant = <T>(
  addresses: Iterable<Hex>,
  tenantsOf: (address: Hex) => Iterable<T>,
  tenant: T,
): boolean => {
  const tenants = new Set<T>();
  for (const address of addresses) for (const each of tenantsOf(address)) tenants.add(each);
  return tenants.size === 1 && tenants.has(tenant);
};
