// What the index has of subjects besides their versions: under which addresses they are found, and how often anything
// changed that decides which tenant sees what of another.
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey, toStreamIdentityOf } from '../../ledger/identity.ts';
import type { AccessPermission, AccessPolicyRecord } from '../../ledger/records/accessPolicy.ts';
import type { SubjectRecord } from '../../ledger/records/subject.ts';
import { standForTenant, toSubjectAddresses } from '../../ledger/sharing/subjectTenants.ts';
import { namedKey } from '../keys.ts';
import { addChange, type ChangesRow } from '../rows/changesRow.ts';
import type { NamedRow, SubjectName, WritePoliciesRow } from '../rows/rows.ts';
import {
  authorChangesKey,
  authorTenantKey,
  namedAddressKey,
  policyChangesKey,
  standingChangesKey,
  subjectAddressKey,
  writePoliciesKey,
} from '../sharingKeys.ts';
import { type Change, type ReadRow, row } from './changes.ts';
import type { DecodedRecord } from './decodedRecord.ts';

/** The change that notes a change of one of the owner's access policies. */
export const notePolicy = (ownerKey: Uint8Array, policyIdentity: string, read: ReadRow): Change => {
  const key = policyChangesKey(ownerKey);
  return row(key, addChange(read(key) as ChangesRow<string> | undefined, policyIdentity));
};

/** The change that notes the first record of a tenant by an account; none if no subject has had its address. */
export const noteAuthor = (address: Uint8Array, read: ReadRow): Change[] => {
  if (read(namedAddressKey(address)) === undefined) return [];
  return [row(authorChangesKey(), ((read(authorChangesKey()) as number | undefined) ?? 0) + 1)];
};

/** The row of an account that is an author of several tenants' records. */
export const SEVERAL_TENANTS = '';

// The changes of the tenants of which the addresses are authors' addresses: only for these can the subject stand, or
// have stood.
const noteStanding = (name: SubjectName, addresses: Iterable<Hex>, read: ReadRow): Change[] => {
  const tenants = new Set<Hex>();
  for (const address of addresses) {
    const tenant = read(authorTenantKey(fromHex(address))) as Hex | typeof SEVERAL_TENANTS | undefined;
    if (tenant !== undefined && tenant !== SEVERAL_TENANTS) tenants.add(tenant);
  }
  tenants.delete(toHex(toKey(name.ownerIdentity)));
  return [...tenants].map((tenant) => {
    const key = standingChangesKey(fromHex(tenant));
    return row(key, addChange(read(key) as ChangesRow<SubjectName> | undefined, name));
  });
};

const hasSameAddresses = (before: SubjectRecord | undefined, after: SubjectRecord): boolean =>
  before !== undefined &&
  before.is_deleted === after.is_deleted &&
  before.wallet_pub_key.join() === after.wallet_pub_key.join();

/**
 * The changes of the addresses under which a subject is found, and of the tenants that it may stand for; none if the
 * version has the same public keys. `before`: the version that `after` replaces.
 */
export const toAddressChanges = (
  { tenantKey, streamKey, ownerIdentity }: Pick<DecodedRecord, 'tenantKey' | 'streamKey'> & { ownerIdentity: string },
  { before, after }: { readonly before: SubjectRecord | undefined; readonly after: SubjectRecord },
  read: ReadRow,
): Change[] => {
  if (hasSameAddresses(before, after)) return [];
  const [lost, held] = [toSubjectAddresses(before), toSubjectAddresses(after)];
  const keyOf = (address: Hex): Buffer => subjectAddressKey(fromHex(address), tenantKey, streamKey);
  const subjectIdentity = toStreamIdentityOf(after);
  const added = [...held].filter((address) => !lost.has(address));
  return [
    ...[...lost].filter((address) => !held.has(address)).map((address) => row(keyOf(address), undefined)),
    ...added.flatMap((address) => [row(keyOf(address), subjectIdentity), row(namedAddressKey(fromHex(address)), 1)]),
    ...noteStanding({ ownerIdentity, subjectIdentity }, new Set([...lost, ...held]), read),
  ];
};

/** Whether a subject of the owner stands for a tenant: its wallets are authors of this tenant's records alone. */
export const standsFor = (
  read: ReadRow,
  ownerKey: Uint8Array,
  subjectIdentity: string,
  tenantKey: Uint8Array,
): boolean => {
  const named = read(namedKey(ownerKey, 'subjects', toKey(subjectIdentity))) as NamedRow<SubjectRecord> | undefined;
  const tenantOf = (address: Hex): string[] => {
    const tenant = read(authorTenantKey(fromHex(address))) as string | undefined;
    return tenant === undefined ? [] : [tenant];
  };
  return standForTenant(toSubjectAddresses(named?.record), tenantOf, toHex(tenantKey));
};

const mayWrite = ({ subjects, behaviours, event_arc_display_type_write: types }: AccessPermission): boolean =>
  subjects.length > 0 && behaviours.length > 0 && types.length > 0;

/** The identities of the owner's access policies that let other tenants record events. */
export const readWritePolicies = (read: ReadRow, ownerKey: Uint8Array): readonly string[] =>
  (read(writePoliciesKey(ownerKey)) as WritePoliciesRow | undefined)?.policies ?? [];

/** The change of the list of these policies for a version of one that has an effect. */
export const toWritePoliciesChanges = (
  { tenantKey }: { readonly tenantKey: Uint8Array },
  record: AccessPolicyRecord,
  read: ReadRow,
): Change[] => {
  const identity = toStreamIdentityOf(record);
  const policies = readWritePolicies(read, tenantKey);
  const isListed = !record.is_deleted && record.access_permissions.some(mayWrite);
  if (policies.includes(identity) === isListed) return [];
  const changed = isListed ? [...policies, identity] : policies.filter((policy) => policy !== identity);
  return [row(writePoliciesKey(tenantKey), { policies: changed })];
};
