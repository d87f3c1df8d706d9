// The projection of a contribution. It becomes an event of the owner's asset if a policy of the owner, as the rows have
// it at this place of the chain, grants it; otherwise it is a record of its writer's tenant that changes nothing.
import type { RecordLog } from '../../chain/port.ts';
import { parseContributionIdentity, toKey, toStreamIdentity } from '../../ledger/identity.ts';
import type { AccessPolicyRecord } from '../../ledger/records/accessPolicy.ts';
import { type ContributionRecord, toContributedEvent } from '../../ledger/records/contribution.ts';
import { type ContributionFacts, findCountedGrant } from '../../ledger/sharing/contributions.ts';
import { type Grant, toGrants } from '../../ledger/sharing/grants.ts';
import * as keys from '../keys.ts';
import type { AssetRow, NamedRow, TenantRow } from '../rows/rows.ts';
import { contributedKey, contributionKey } from '../sharingKeys.ts';
import { type Change, type ReadRow, unreadRow } from './changes.ts';
import { decodeEvent } from './decodedEvent.ts';
import type { Decoded } from './decodedRecord.ts';
import { projectEvent } from './projectEvent.ts';
import { readWritePolicies, standsFor } from './projectSharing.ts';

type ContributionLog = Decoded<RecordLog, ContributionRecord>;

const MS_PER_SECOND = 1_000;

interface HeldPolicy {
  readonly grants: readonly Grant[];
}

// A version is one object while it is in memory, and its grants are needed for each contribution.
const grantsOf = new WeakMap<AccessPolicyRecord, readonly Grant[]>();

const toKeptGrants = (policy: AccessPolicyRecord): readonly Grant[] => {
  const known = grantsOf.get(policy);
  if (known !== undefined) return known;
  const grants = toGrants(policy);
  grantsOf.set(policy, grants);
  return grants;
};

function* readPolicies(ownerKey: Uint8Array, read: ReadRow): Generator<HeldPolicy> {
  for (const identity of readWritePolicies(read, ownerKey)) {
    const policy = read(keys.namedKey(ownerKey, 'accessPolicies', toKey(identity))) as NamedRow<AccessPolicyRecord>;
    yield { grants: toKeptGrants(policy.record) };
  }
}

const toFacts = (ownerKey: Uint8Array, writerKey: Uint8Array, read: ReadRow): ContributionFacts<HeldPolicy> => {
  const standing = new Map<string, boolean>();
  return {
    policies: readPolicies(ownerKey, read),
    isWriter: (subject) => {
      const known = standing.get(subject) ?? standsFor(read, ownerKey, subject, writerKey);
      standing.set(subject, known);
      return known;
    },
    isOwnersBlob: (blob) => read(keys.blobKey(ownerKey, toKey(blob))) !== undefined,
  };
};

const isTaken = (ownerKey: Uint8Array, eventKey: Uint8Array, read: ReadRow): boolean =>
  read(keys.recordKey(ownerKey, eventKey)) !== undefined || read(contributionKey(ownerKey, eventKey)) !== undefined;

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
  if (isOwn || findCountedGrant(asset.state, event, toFacts(ownerKey, writerKey, read)) === undefined) return undefined;
  const content = decodeEvent(event, log, assetIdentity);
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
