// Which tenants the index has: those that it serves, and those that share records with them. No other tenant's record
// can take a name, a client id or a public UUID before those that are served. It remembers which others have records,
// without these: a tenant that has none can be added without a rebuild.
import { fromHex, type Hex } from '../ledger/encoding/hex.ts';
import { type Change, type ReadRow, row } from './projection/changes.ts';
import type { ServedTenantsRow, Write } from './rows/rows.ts';
import { table } from './tables.ts';
import { treeKey } from './treeKeys.ts';

/** The keys of the tenants that are served; undefined: all tenants of the ledger are. */
export type ServedTenants = ReadonlySet<Hex> | undefined;

/** The keys of tenants that the index has only for what they share with those that are served. */
export type SharingTenants = ReadonlySet<Hex>;

/** The tenants whose records the index has. One that is served counts as such, also where it is listed as sharing. */
export interface IndexedTenants {
  readonly served: ServedTenants;
  readonly sharing: SharingTenants;
}

/** The keys of other tenants, each with the block of its first record. */
export type UnservedTenants = ReadonlyMap<Hex, number>;

const servedTenantsKey = (): Buffer => table('servedTenants');
const unservedTenantKey = (tenantKey: Hex): Buffer => table('unservedTenants', fromHex(tenantKey));

/** Whether the index has a tenant only for what it shares. */
export const isSharingOnly = ({ served, sharing }: IndexedTenants, tenant: Hex): boolean =>
  served !== undefined && sharing.has(tenant) && !served.has(tenant);

/** Whether the index has a tenant's records. */
export const hasRecordsOf = (tenants: IndexedTenants, tenant: Hex): boolean =>
  (tenants.served?.has(tenant) ?? true) || isSharingOnly(tenants, tenant);

const without = (tenants: Iterable<Hex>, others: readonly Hex[]): Hex[] => {
  const excluded = new Set(others);
  return [...tenants].filter((tenant) => !excluded.has(tenant));
};

const hasRecords = (tenant: Hex, read: ReadRow): boolean => read(treeKey(fromHex(tenant))) !== undefined;
const wasSeen = (tenant: Hex, read: ReadRow): boolean => read(unservedTenantKey(tenant)) !== undefined;

const listKeys = (tenants: readonly Hex[]): string =>
  tenants.length === 1 ? `the tenant with the key ${tenants[0]}` : `${tenants.length} tenants`;

const toRow = ({ served, sharing }: IndexedTenants): ServedTenantsRow | undefined => {
  if (served === undefined) return undefined;
  const tenants = [...served].sort();
  const only = without(sharing, tenants).sort();
  return { tenants, ...(only.length > 0 && { sharing: only }) };
};

const listAll = ({ tenants, sharing = [] }: ServedTenantsRow): Hex[] => [...tenants, ...sharing];

// An index for all tenants states none, and remembers no others.
const findReason = (
  stored: ServedTenantsRow | undefined,
  next: ServedTenantsRow | undefined,
  read: ReadRow,
): string | undefined => {
  if (stored === undefined || next === undefined) return 'it was built for others';
  const removed = [
    ...without(stored.tenants, next.tenants),
    ...without(stored.sharing ?? [], next.sharing ?? []),
  ].filter((tenant) => hasRecords(tenant, read));
  if (removed.length > 0) return `it has records of ${listKeys(removed)}, no longer served or shared as before`;
  const added = without(listAll(next), listAll(stored)).filter((tenant) => wasSeen(tenant, read));
  return added.length > 0 ? `it lacks the records of ${listKeys(added)}, served or shared from now on` : undefined;
};

/** What an index needs to have other tenants: a rebuild for a reason, or a write; neither if it has them. */
export interface ServedChange {
  readonly reason?: string | undefined;
  readonly write?: Write;
}

/** The write that states the tenants of an index; none for all tenants. */
export const toServedWrites = (tenants: IndexedTenants): Write[] => {
  const value = toRow(tenants);
  return value === undefined ? [] : [{ key: servedTenantsKey(), value }];
};

/** Compares the tenants that an index was built for with those that it is to have. */
export const findServedChange = (read: ReadRow, tenants: IndexedTenants): ServedChange => {
  const stored = read(servedTenantsKey()) as ServedTenantsRow | undefined;
  const next = toRow(tenants);
  if (JSON.stringify(stored) === JSON.stringify(next)) return {};
  const reason = findReason(stored, next, read);
  return reason === undefined ? { write: toServedWrites(tenants)[0]! } : { reason };
};

/** The changes that remember a tenant with records which the index doesn't have. */
export const toUnservedChanges = (tenant: Hex, blockNumber: number, read: ReadRow): Change[] =>
  wasSeen(tenant, read) ? [] : [row(unservedTenantKey(tenant), blockNumber)];
