// Which tenants the index serves: it has only their rows, so that no record of another tenant can take a name before
// them. It remembers which others have records, without these: a tenant that has none can be added without a rebuild.
import { fromHex, type Hex } from '../ledger/encoding/hex.ts';
import { type Change, type ReadRow, row } from './projection/changes.ts';
import type { ServedTenantsRow, Write } from './rows/rows.ts';
import { table } from './tables.ts';
import { treeKey } from './treeKeys.ts';

/** The keys of the tenants that are served; undefined: all tenants of the ledger are. */
export type ServedTenants = ReadonlySet<Hex> | undefined;

/** The keys of other tenants, each with the block of its first record. */
export type UnservedTenants = ReadonlyMap<Hex, number>;

const servedTenantsKey = (): Buffer => table('servedTenants');
const unservedTenantKey = (tenantKey: Hex): Buffer => table('unservedTenants', fromHex(tenantKey));

const without = (tenants: ServedTenants, others: ServedTenants): Hex[] =>
  [...(tenants ?? [])].filter((tenant) => !others?.has(tenant));

const hasRecords = (tenant: Hex, read: ReadRow): boolean => read(treeKey(fromHex(tenant))) !== undefined;
const wasSeen = (tenant: Hex, read: ReadRow): boolean => read(unservedTenantKey(tenant)) !== undefined;

const listKeys = (tenants: readonly Hex[]): string =>
  tenants.length === 1 ? `the tenant with the key ${tenants[0]}` : `${tenants.length} tenants`;

// An index for all tenants states none, and remembers no others.
const findReason = (stored: ServedTenants, served: ServedTenants, read: ReadRow): string | undefined => {
  if (stored === undefined || served === undefined) return 'it was built for others';
  const removed = without(stored, served).filter((tenant) => hasRecords(tenant, read));
  if (removed.length > 0) return `it has records of ${listKeys(removed)}, no longer served`;
  const added = without(served, stored).filter((tenant) => wasSeen(tenant, read));
  return added.length > 0 ? `it lacks the records of ${listKeys(added)}, served from now on` : undefined;
};

/** What an index needs to serve other tenants: a rebuild for a reason, or a write; neither if it serves them. */
export interface ServedChange {
  readonly reason?: string | undefined;
  readonly write?: Write;
}

/** The write that states the tenants of an index; none for all tenants. */
export const toServedWrites = (served: ServedTenants): Write[] =>
  served === undefined ? [] : [{ key: servedTenantsKey(), value: { tenants: [...served].sort() } }];

/** Compares the tenants that an index was built for with those that it is to serve. */
export const findServedChange = (read: ReadRow, served: ServedTenants): ServedChange => {
  const known = read(servedTenantsKey()) as ServedTenantsRow | undefined;
  const stored = known && new Set(known.tenants);
  const isSame = stored?.size === served?.size && without(served, stored).length === 0;
  if (isSame) return {};
  const reason = findReason(stored, served, read);
  return reason === undefined ? { write: toServedWrites(served)[0]! } : { reason };
};

/** The changes that remember tenants with records which aren't served. */
export const toUnservedChanges = (unserved: UnservedTenants, read: ReadRow): Change[] =>
  [...unserved]
    .filter(([tenant]) => !wasSeen(tenant, read))
    .map(([tenant, blockNumber]) => row(unservedTenantKey(tenant), blockNumber));
