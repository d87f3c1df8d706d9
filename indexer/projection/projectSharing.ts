// What the index has of subjects besides their versions: under which addresses they are found, and how often anything
// changed that decides which tenant sees what of another.
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey, toStreamIdentityOf } from '../../ledger/identity.ts';
import type { AccessPermission, AccessPolicyRecord } from '../../ledger/records/accessPolicy.ts';
import { type SubjectRecord, toWalletAddress } from '../../ledger/records/subject.ts';
import { namedKey } from '../keys.ts';
import type { NamedRow, WritePoliciesRow } from '../rows/rows.ts';
import { authorTenantKey, sharingKey, subjectAddressKey, writePoliciesKey } from '../sharingKeys.ts';
import { type Change, type ReadRow, row } from './changes.ts';

/** The change that counts one more change of a subject, an access policy or an author. */
export const countSharing = (read: ReadRow): Change =>
  row(sharingKey(), ((read(sharingKey()) as number | undefined) ?? 0) + 1);

const addressesOf = (record: SubjectRecord | undefined): ReadonlySet<Hex> =>
  new Set(record === undefined || record.is_deleted ? [] : record.wallet_pub_key.map(toWalletAddress));

/** The changes of the addresses under which a subject is found. `before`: the version that `after` replaces. */
export const toAddressChanges = (
  { tenantKey, streamKey }: { readonly tenantKey: Uint8Array; readonly streamKey: Uint8Array },
  before: SubjectRecord | undefined,
  after: SubjectRecord,
): Change[] => {
  const [lost, held] = [addressesOf(before), addressesOf(after)];
  const keyOf = (address: Hex): Buffer => subjectAddressKey(fromHex(address), tenantKey, streamKey);
  const identity = toStreamIdentityOf(after);
  return [
    ...[...lost].filter((address) => !held.has(address)).map((address) => row(keyOf(address), undefined)),
    ...[...held].filter((address) => !lost.has(address)).map((address) => row(keyOf(address), identity)),
  ];
};

/** The row of an account that is an author of several tenants' records. */
export const SEVERAL_TENANTS = '';

/** Whether a subject of the owner stands for a tenant: its wallets are authors of this tenant's records alone. */
export const standsFor = (
  read: ReadRow,
  ownerKey: Uint8Array,
  subjectIdentity: string,
  tenantKey: Uint8Array,
): boolean => {
  const named = read(namedKey(ownerKey, 'subjects', toKey(subjectIdentity))) as NamedRow<SubjectRecord> | undefined;
  const tenants = new Set<unknown>();
  for (const address of addressesOf(named?.record)) tenants.add(read(authorTenantKey(fromHex(address))));
  tenants.delete(undefined);
  return tenants.size === 1 && tenants.has(toHex(tenantKey));
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
