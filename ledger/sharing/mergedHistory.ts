// The history of an asset to which other tenants contributed, from records of the owner and of these tenants in the
// order of the chain: the same rules as those of the projection of the index, over records instead of rows.
import { type AssetState, foldEvent } from '../assets/asset.ts';
import type { Hex } from '../encoding/hex.ts';
import { parseContributionIdentity, toStreamIdentityOf } from '../identity.ts';
import type { AccessPolicyRecord } from '../records/accessPolicy.ts';
import { type ContributionRecord, toContributedEvent } from '../records/contribution.ts';
import type { EventRecord } from '../records/event.ts';
import type { LedgerRecord } from '../records/record.ts';
import type { SubjectRecord } from '../records/subject.ts';
import { isReplacing } from '../records/version.ts';
import { findCountedGrant } from './contributions.ts';
import { type Grant, toGrants } from './grants.ts';
import { standForTenant, toSubjectAddresses } from './subjectTenants.ts';

const MS_PER_SECOND = 1_000;

/** A record at its place of the chain. */
export interface PlacedRecord {
  /** The tenant whose record it is. */
  readonly tenantIdentity: string;
  /** Lower-case address. */
  readonly author: Hex;
  /** Time of its block. */
  readonly blockTimeSeconds: number;
  /** Undefined for a payload that is no record of its stream. */
  readonly record: LedgerRecord | undefined;
  /** Whether it is from before its tenant's own record, so that it has no effect. */
  readonly isEarly: boolean;
}

/** An asset. */
export interface OwnedAsset {
  readonly tenantIdentity: string;
  readonly assetIdentity: string;
}

/** An event of a merged history. */
export interface MergedEvent<R extends PlacedRecord> {
  readonly placed: R;
  /** Of a contribution the event that it is on the asset. */
  readonly event: EventRecord;
  /** What grants a contribution; undefined for an event of the owner. */
  readonly granted: { readonly policy: string; readonly subject: string } | undefined;
}

interface HeldPolicy {
  readonly record: AccessPolicyRecord;
  readonly grants: readonly Grant[];
}

/** What the owner has at a place of the chain. */
interface Held {
  readonly policies: Map<string, HeldPolicy>;
  readonly subjects: Map<string, { readonly record: SubjectRecord; readonly addresses: ReadonlySet<Hex> }>;
  readonly blobs: Set<string>;
  /** Tenants of whose records an address is an author. */
  readonly authors: Map<Hex, Set<string>>;
  /** Identities of events that the asset, or a record of the owner, has. */
  readonly taken: Set<string>;
}

const addAuthor = ({ authors }: Held, { author, tenantIdentity }: PlacedRecord): void => {
  const tenants = authors.get(author) ?? new Set();
  authors.set(author, tenants.add(tenantIdentity));
};

const holdPolicy = ({ policies }: Held, record: AccessPolicyRecord): void => {
  const identity = toStreamIdentityOf(record);
  if (!isReplacing(record, policies.get(identity)?.record)) return;
  policies.set(identity, { record, grants: record.is_deleted ? [] : toGrants(record) });
};

const holdSubject = ({ subjects }: Held, record: SubjectRecord): void => {
  const identity = toStreamIdentityOf(record);
  if (!isReplacing(record, subjects.get(identity)?.record)) return;
  subjects.set(identity, { record, addresses: toSubjectAddresses(record) });
};

const hold = (held: Held, record: LedgerRecord): void => {
  if (record.type === 'access_policy') holdPolicy(held, record);
  else if (record.type === 'subject') holdSubject(held, record);
  else if (record.type === 'blob') held.blobs.add(toStreamIdentityOf(record));
};

const findGranted = (
  held: Held,
  state: AssetState,
  event: EventRecord,
  writer: string,
): MergedEvent<PlacedRecord>['granted'] => {
  const tenantsOf = (address: Hex): Iterable<string> => held.authors.get(address) ?? [];
  const standing = new Map<string, boolean>();
  const isWriter = (identity: string): boolean => {
    const addresses = held.subjects.get(identity)?.addresses ?? [];
    const stands = standing.get(identity) ?? standForTenant(addresses, tenantsOf, writer);
    standing.set(identity, stands);
    return stands;
  };
  const isOwnersBlob = (identity: string): boolean => held.blobs.has(identity);
  const found = findCountedGrant(state, event, { policies: held.policies.values(), isWriter, isOwnersBlob });
  if (found === undefined) return undefined;
  return { policy: toStreamIdentityOf(found.policy.record), subject: found.grant.subjects.find(isWriter)! };
};

/** A merged history that is made of one record after the other. */
export interface Merge<R extends PlacedRecord> {
  /** The events so far, oldest first. */
  readonly events: readonly MergedEvent<R>[];
  /** Takes the next record in the order of the chain. */
  take(placed: R): void;
}

/** Begins the history of an asset: without a record. */
export const createMerge = <R extends PlacedRecord>({ tenantIdentity: owner, assetIdentity }: OwnedAsset): Merge<R> => {
  const held: Held = {
    policies: new Map(),
    subjects: new Map(),
    blobs: new Set(),
    authors: new Map(),
    taken: new Set(),
  };
  const events: MergedEvent<R>[] = [];
  let state: AssetState | undefined;

  // Also one without an effect takes its identity.
  const takeOwn = (placed: R, event: EventRecord): void => {
    held.taken.add(event.identity);
    if (placed.isEarly) return;
    const after = foldEvent(state, event);
    if (after === state) return;
    state = after;
    events.push({ placed, event, granted: undefined });
  };

  const takeContribution = (placed: R, record: ContributionRecord): void => {
    const { eventIdentity } = parseContributionIdentity(record.identity)!;
    const isMeant = record.owner === owner && toStreamIdentityOf({ identity: eventIdentity }) === assetIdentity;
    if (!isMeant || state === undefined || held.taken.has(eventIdentity)) return;
    const event = toContributedEvent(record, placed.blockTimeSeconds * MS_PER_SECOND);
    const granted = findGranted(held, state, event, placed.tenantIdentity);
    if (granted === undefined) return;
    held.taken.add(eventIdentity);
    state = foldEvent(state, event);
    events.push({ placed, event, granted });
  };

  return {
    events,
    take: (placed) => {
      addAuthor(held, placed);
      const { record, tenantIdentity, isEarly } = placed;
      if (record === undefined) return;
      const isOwners = tenantIdentity === owner;
      if (isOwners && record.type === 'event') {
        if (toStreamIdentityOf(record) === assetIdentity) takeOwn(placed, record);
      } else if (isEarly) return;
      else if (isOwners) hold(held, record);
      else if (record.type === 'contribution') takeContribution(placed, record);
    },
  };
};

/**
 * The events of an asset, oldest first.
 * @param records those of the asset, contributions to it, and of the owner's access policies, subjects and blobs, with
 * further records by the same authors; in the order of the chain. What isn't there decides nothing.
 */
export const mergeHistory = <R extends PlacedRecord>(
  owned: OwnedAsset,
  records: Iterable<R>,
): readonly MergedEvent<R>[] => {
  const merge = createMerge<R>(owned);
  for (const placed of records) merge.take(placed);
  return merge.events;
};
