// The projection of a contribution. It becomes an event of the owner's asset if a policy of the owner, as the rows have
// it at this place of the chain, grants it; otherwise it is a record of its writer's tenant that changes nothing.
import type { RecordLog } from '../../chain/port.ts';
import type { AssetState } from '../../ledger/assets/asset.ts';
import { parseContributionIdentity, toKey, toStreamIdentity } from '../../ledger/identity.ts';
import type { AccessPolicyRecord } from '../../ledger/records/accessPolicy.ts';
import { type ContributionRecord, toContributedEvent } from '../../ledger/records/contribution.ts';
import type { EventRecord } from '../../ledger/records/event.ts';
import { isContributionAccepted, isContributionGranted } from '../../ledger/sharing/contributions.ts';
import { type Grant, toGrants } from '../../ledger/sharing/grants.ts';
import * as keys from '../keys.ts';
import type { AssetRow, NamedRow, TenantRow } from '../rows/rows.ts';
import { contributedKey, contributionKey } from '../sharingKeys.ts';
import { type Change, type ReadRow, unreadRow } from './changes.ts';
import { type DecodedEvent, decodeEvent } from './decodedEvent.ts';
import type { Decoded } from './decodedRecord.ts';
import { projectEvent } from './projectEvent.ts';
import { readWritePolicies, standsFor } from './projectSharing.ts';

type ContributionLog = Decoded<RecordLog, ContributionRecord>;

const MS_PER_SECOND = 1_000;

// A version is one object while it is in memory, and its grants are needed for each contribution.
const grantsOf = new WeakMap<AccessPolicyRecord, readonly Grant[]>();

const toKeptGrants = (policy: AccessPolicyRecord): readonly Grant[] => {
  const known = grantsOf.get(policy);
  if (known !== undefined) return known;
  const grants = toGrants(policy);
  grantsOf.set(policy, grants);
  return grants;
};

interface Proposed {
  readonly ownerKey: Uint8Array;
  readonly writerKey: Uint8Array;
  readonly state: AssetState;
  readonly event: EventRecord;
}

const isGrantedByPolicy = ({ ownerKey, writerKey, state, event }: Proposed, read: ReadRow): boolean => {
  const standing = new Map<string, boolean>();
  const isWriter = (subject: string): boolean => {
    const known = standing.get(subject) ?? standsFor(read, ownerKey, subject, writerKey);
    standing.set(subject, known);
    return known;
  };
  return readWritePolicies(read, ownerKey).some((identity) => {
    const policy = read(keys.namedKey(ownerKey, 'accessPolicies', toKey(identity))) as NamedRow<AccessPolicyRecord>;
    return toKeptGrants(policy.record).some(
      (grant) => isContributionGranted([grant], state, event) && grant.subjects.some(isWriter),
    );
  });
};

const isTaken = (ownerKey: Uint8Array, eventKey: Uint8Array, read: ReadRow): boolean =>
  read(keys.recordKey(ownerKey, eventKey)) !== undefined || read(contributionKey(ownerKey, eventKey)) !== undefined;

// A blob is looked up by the tenant of the event that attaches it. One that has the identity of a blob of the owner
// could be taken for that, which the writer must not share with others.
const attachesOwners = (ownerKey: Uint8Array, { effect }: DecodedEvent, read: ReadRow): boolean =>
  effect.attached.some((blob) => read(keys.blobKey(ownerKey, toKey(blob))) !== undefined);

// The changes of the owner's asset; undefined if the contribution doesn't become one of its events.
const toIncluded = (
  { content: record, log, tenantKey: writerKey }: ContributionLog,
  eventIdentity: string,
  writer: TenantRow,
  read: ReadRow,
): Change[] | undefined => {
  const ownerKey = toKey(record.owner);
  const assetIdentity = toStreamIdentity(eventIdentity)!;
  const [streamKey, recordKey] = [toKey(assetIdentity), toKey(eventIdentity)];
  const owner = read(keys.tenantRowKey(ownerKey)) as TenantRow | undefined;
  const asset = read(keys.assetKey(ownerKey, streamKey)) as AssetRow | undefined;
  if (owner === undefined || asset === undefined || isTaken(ownerKey, recordKey, read)) return undefined;
  const event = toContributedEvent(record, log.blockTimestampSeconds * MS_PER_SECOND);
  const isOwn = Buffer.compare(ownerKey, writerKey) === 0;
  const { state } = asset;
  if (isOwn || !isGrantedByPolicy({ ownerKey, writerKey, state, event }, read) || !isContributionAccepted(state, event))
    return undefined;
  const content = decodeEvent(event, log, assetIdentity);
  if (attachesOwners(ownerKey, content, read)) return undefined;
  return projectEvent({ log, tenantKey: ownerKey, streamKey, recordKey, content }, owner, read, writer.identity);
};

/** The changes of a contribution, besides its record. `writer`: the tenant whose record it is. */
export const projectContribution = (decoded: ContributionLog, writer: TenantRow, read: ReadRow): Change[] => {
  const { content: record, tenantKey, recordKey } = decoded;
  const { eventIdentity } = parseContributionIdentity(record.identity)!;
  const included = toIncluded(decoded, eventIdentity, writer, read);
  return [
    unreadRow(contributedKey(tenantKey, toKey(eventIdentity)), record.identity),
    ...(included ?? [unreadRow(keys.conflictKey(tenantKey, recordKey), 1)]),
  ];
};
