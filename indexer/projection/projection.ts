// The projection of a record to changes of the index. It is pure, so that the same chain always leads to the same
// index. Any holder of a writer's key can log any record, so a record that is invalid in its context is stored and
// changes nothing else.
import type { RecordLog } from '../../chain/port.ts';
import { fromHex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { toKey, toStreamIdentityOf, toUuid } from '../../ledger/identity.ts';
import type { AccessPolicyRecord } from '../../ledger/records/accessPolicy.ts';
import type { ApplicationRecord } from '../../ledger/records/application.ts';
import { type BlobRecord, toBlobResource } from '../../ledger/records/blob.ts';
import { isOfNewerCode } from '../../ledger/records/record.ts';
import type { SubjectRecord } from '../../ledger/records/subject.ts';
import type { TenantRecord } from '../../ledger/records/tenant.ts';
import { isReplacing } from '../../ledger/records/version.ts';
import * as keys from '../keys.ts';
import { encodeRecordRow } from '../rows/recordRow.ts';
import {
  type BlobRow,
  encodeMember,
  type NamedRecord,
  type NamedRow,
  type NewerRecordsRow,
  type TenantRow,
} from '../rows/rows.ts';
import { type IndexedTenants, isSharingOnly } from '../servedTenants.ts';
import { opaqueRecordKey } from '../treeKeys.ts';
import { type Change, type ReadRow, row, toTermChange, unreadRow } from './changes.ts';
import type { DecodedEvent } from './decodedEvent.ts';
import type { Decoded, DecodedRecord, OtherRecord } from './decodedRecord.ts';
import {
  ACCESS_POLICIES,
  APPLICATIONS,
  LOCATIONS,
  type Named,
  type NamedCollection,
  POLICIES,
  SUBJECTS,
} from './namedCollections.ts';
import { projectContribution } from './projectContribution.ts';
import { projectEvent } from './projectEvent.ts';
import type { LeafKeys } from './projectLeaf.ts';
import { notePolicy, toAddressChanges, toWritePoliciesChanges } from './projectSharing.ts';
import { blobTerms } from './terms.ts';

type DecodedLog<C> = Decoded<RecordLog, C>;

// A version that follows another one than that which holds changes nothing, and its writer can find that out.
const toConflict = ({ tenantKey, recordKey }: DecodedRecord): Change[] => [
  unreadRow(keys.conflictKey(tenantKey, recordKey), 1),
];

// A name belongs to the first tenant that used it, so that no tenant can be mistaken for another.
const projectTenant = (
  decoded: DecodedLog<TenantRecord>,
  read: ReadRow,
  tenants: IndexedTenants | undefined,
): Change[] => {
  const { content: record, tenantKey } = decoded;
  const identity = toStreamIdentityOf(record);
  if (Buffer.compare(toKey(identity), tenantKey) !== 0) return [];
  const current = read(keys.tenantRowKey(tenantKey)) as TenantRow | undefined;
  if (!isReplacing(record, current?.tenant)) return toConflict(decoded);
  if (tenants !== undefined && isSharingOnly(tenants, toHex(tenantKey)))
    return [row(keys.tenantRowKey(tenantKey), { identity, tenant: record, isSharingOnly: true })];
  const nameKey = keys.tenantNameKey(keccak256(Buffer.from(record.display_name)));
  const tenantRow: TenantRow = { identity, tenant: record };
  const changes: Change[] = [row(keys.tenantRowKey(tenantKey), tenantRow)];
  return read(nameKey) === undefined ? [...changes, row(nameKey, identity)] : changes;
};

/** The number of a collection's next member, and the changes that assign it. */
const addMember = (
  { tenantKey, streamKey }: DecodedRecord,
  collection: keys.Collection,
  read: ReadRow,
): { number: number; changes: Change[] } => {
  const counterKey = keys.counterKey(tenantKey, collection);
  const number = (read(counterKey) as number | undefined) ?? 0;
  const member = row(keys.memberKey(tenantKey, collection, number), encodeMember(streamKey));
  return { number, changes: [row(counterKey, number + 1), member] };
};

const projectNamed = <R extends NamedRecord, T extends Named>(
  decoded: DecodedLog<R>,
  { collection, toResource, toTerms }: NamedCollection<R, T>,
  read: ReadRow,
): Change[] => {
  const { content: record, tenantKey, streamKey } = decoded;
  const key = keys.namedKey(tenantKey, collection, streamKey);
  const current = read(key) as NamedRow<R> | undefined;
  if (!isReplacing(record, current?.record)) return toConflict(decoded);
  const { number, changes } =
    current === undefined ? addMember(decoded, collection, read) : { number: current.number, changes: [] };
  const [before, after] = [current && toResource(current.record), toResource(record)];
  const nameKeyOf = ({ display_name, identity }: T) =>
    keys.nameKey(tenantKey, collection, display_name, toUuid(identity));
  return [
    ...changes,
    ...(before === undefined ? [] : [row(nameKeyOf(before), undefined)]),
    ...(after === undefined ? [] : [row(nameKeyOf(after), number)]),
    row(key, { number, record }),
    toTermChange({ tenantKey, number }, before ? toTerms(before) : [], after ? toTerms(after) : []),
  ];
};

// A client id belongs to the first tenant that used it, so that no tenant can act in the name of another. Nobody gets a
// token here for a tenant that isn't served.
const projectApplication = (
  decoded: DecodedLog<ApplicationRecord>,
  { identity, isSharingOnly: isUnserved }: TenantRow,
  read: ReadRow,
): Change[] => {
  if (isUnserved) return [];
  const key = keys.applicationTenantKey(decoded.streamKey);
  const owner = read(key);
  if (owner === undefined && !isReplacing(decoded.content, undefined)) return toConflict(decoded);
  if (owner !== undefined && owner !== identity) return [];
  return [row(key, identity), ...projectNamed(decoded, APPLICATIONS, read)];
};

const readHeld = <R extends NamedRecord>(
  { tenantKey, streamKey }: DecodedLog<R>,
  collection: keys.Collection,
  read: ReadRow,
): R | undefined => (read(keys.namedKey(tenantKey, collection, streamKey)) as NamedRow<R> | undefined)?.record;

// A subject is found by the addresses of its newest version.
const projectSubject = (
  decoded: DecodedLog<SubjectRecord>,
  { identity: ownerIdentity }: TenantRow,
  read: ReadRow,
): Change[] => {
  const { tenantKey, streamKey, content: after } = decoded;
  const before = readHeld(decoded, 'subjects', read);
  const changes = projectNamed(decoded, SUBJECTS, read);
  if (!isReplacing(after, before)) return changes;
  return [...changes, ...toAddressChanges({ tenantKey, streamKey, ownerIdentity }, { before, after }, read)];
};

const projectAccessPolicy = (decoded: DecodedLog<AccessPolicyRecord>, read: ReadRow): Change[] => {
  const changes = projectNamed(decoded, ACCESS_POLICIES, read);
  const { content: record } = decoded;
  if (!isReplacing(record, readHeld(decoded, 'accessPolicies', read))) return changes;
  const note = notePolicy(decoded.tenantKey, toStreamIdentityOf(record), read);
  return [...changes, ...toWritePoliciesChanges(decoded, record, read), note];
};

// A fingerprint never changes: later records of the same blob are ignored.
const projectBlob = (decoded: DecodedLog<BlobRecord>, { identity }: TenantRow, read: ReadRow): Change[] => {
  const { content: record, tenantKey, streamKey } = decoded;
  const key = keys.blobKey(tenantKey, streamKey);
  if (read(key) !== undefined) return [];
  const { number, changes } = addMember(decoded, 'blobs', read);
  const blobRow: BlobRow = { number, record };
  const bytesKey = keys.blobBytesKey(tenantKey);
  const bytes = (read(bytesKey) as number | undefined) ?? 0;
  return [
    ...changes,
    row(key, blobRow),
    row(bytesKey, bytes + record.size),
    row(keys.contentKey(tenantKey, fromHex(`0x${record.sha256}`)), 1),
    toTermChange({ tenantKey, number }, [], blobTerms(toBlobResource(record, identity))),
  ];
};

type Content = DecodedEvent | OtherRecord;

const is = <T extends Content['type']>(
  decoded: DecodedRecord,
  type: T,
): decoded is DecodedLog<Extract<Content, { type: T }>> => decoded.content.type === type;

const projectByType = (decoded: DecodedRecord, tenant: TenantRow, read: ReadRow): Change[] => {
  if (is(decoded, 'application')) return projectApplication(decoded, tenant, read);
  if (is(decoded, 'location')) return projectNamed(decoded, LOCATIONS, read);
  if (is(decoded, 'policy')) return projectNamed(decoded, POLICIES, read);
  if (is(decoded, 'subject')) return projectSubject(decoded, tenant, read);
  if (is(decoded, 'access_policy')) return projectAccessPolicy(decoded, read);
  if (is(decoded, 'contribution')) return projectContribution(decoded, tenant, read);
  if (is(decoded, 'blob')) return projectBlob(decoded, tenant, read);
  return [];
};

const countNewer = ({ blockNumber }: RecordLog, read: ReadRow): Change => {
  const key = keys.newerRecordsKey();
  const known = read(key) as NewerRecordsRow | undefined;
  return row(key, { count: (known?.count ?? 0) + 1, firstBlock: known?.firstBlock ?? blockNumber });
};

/**
 * The changes of the index for a log whose payload is no record under its keys. It is kept for evidence alone. One
 * of a newer server is counted, so that the index doesn't look complete.
 */
export const projectOpaque = (log: RecordLog, { tenantKey, recordKey }: LeafKeys, read: ReadRow): Change[] => [
  unreadRow(opaqueRecordKey(tenantKey, recordKey), encodeRecordRow(log, log.payload)),
  ...(isOfNewerCode(log.payload) ? [countNewer(log, read)] : []),
];

/**
 * The changes of the index for a record. The record itself is stored even if it has no effect.
 * @param tenants those of the index; undefined: all tenants are served.
 */
export const project = (decoded: DecodedRecord, read: ReadRow, tenants?: IndexedTenants): Change[] => {
  const { log, tenantKey, recordKey } = decoded;
  const plainRow = () => unreadRow(keys.recordKey(tenantKey, recordKey), encodeRecordRow(log, log.payload));
  if (is(decoded, 'tenant')) return [plainRow(), ...projectTenant(decoded, read, tenants)];
  const tenant = read(keys.tenantRowKey(tenantKey)) as TenantRow | undefined;
  if (tenant === undefined) return [plainRow()];
  if (is(decoded, 'event')) return projectEvent(decoded, tenant, read) ?? [plainRow()];
  return [plainRow(), ...projectByType(decoded, tenant, read)];
};
