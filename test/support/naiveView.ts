// A model of the index's answers, as plain as possible: each query scans all records, one after the other. Written from
// the decisions and the interface of the view, not from the index.
import type { AssetQuery, EventQuery, KnownBlob, LocationQuery, PolicyQuery } from '../../indexer/ledgerView.ts';
import type { UncommittedRecord } from '../../indexer/reads/uncommitted.ts';
import { foldEvent } from '../../ledger/assets/asset.ts';
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { toStreamIdentityOf } from '../../ledger/identity.ts';
import { type BlobRecord, type BlobResource, toBlobResource } from '../../ledger/records/blob.ts';
import { type Commitment, toUncommitted } from '../../ledger/records/commitment.ts';
import {
  type AssetSettings,
  type EventRecord,
  type EventResource,
  isAttach,
  isCreation,
  toEventResource,
} from '../../ledger/records/event.ts';
import { type LocationRecord, type LocationResource, toLocationResource } from '../../ledger/records/location.ts';
import { type PolicyRecord, type PolicyResource, toPolicyResource } from '../../ledger/records/policy.ts';
import { decodeKeyedPayload, type LedgerRecord } from '../../ledger/records/record.ts';
import { findContributions, type NaiveContribution, type NaiveLog } from './naiveContributions.ts';
import { newestFirst } from './naiveOrder.ts';
import {
  byAcceptance,
  byName,
  isRequestedAsset,
  isRequestedEvent,
  isRequestedLocation,
  isRequestedPolicy,
  type NaivePolicyEvent,
  toPolicyEvent,
  toText,
} from './naiveQueries.ts';
import { namesHeld, takeVersion } from './naiveVersions.ts';
import { toCommitment } from './recordLogs.ts';

interface Item {
  readonly tenantIdentity: string;
  readonly record: LedgerRecord;
  readonly commitment: Commitment;
  /** Of an event that another tenant contributed. */
  readonly contributed?: NaiveContribution | undefined;
}

interface ShownEvent {
  readonly event: EventResource;
  readonly record: EventRecord;
}

interface Tenant {
  /** The current state of each, in the order of creation. */
  readonly assets: Map<string, Asset>;
  /** All that are not ignored, in order. */
  readonly events: ShownEvent[];
  /**
   * In the order of their first versions, each with its newest content; undefined if the chain has refused all its
   * versions.
   */
  readonly locations: Map<string, LocationRecord | undefined>;
  readonly policies: Map<string, PolicyRecord | undefined>;
  readonly blobs: Map<string, BlobRecord>;
  /** The first record of each member, by its identity: the event itself, or the creation. */
  readonly firsts: Map<string, Item>;
}

const toCommitted = ({ tenantIdentity, log }: NaiveLog, contributed: NaiveContribution | undefined): Item[] => {
  const record = decodeKeyedPayload(log.payload, log);
  if (record === undefined) return [];
  const commitment = toCommitment(log);
  const own = { tenantIdentity, record, commitment };
  if (contributed === undefined) return [own];
  return [own, { tenantIdentity: contributed.owner, record: contributed.record, commitment, contributed }];
};

const changeAsset = (asset: Asset | undefined, { tenantIdentity, record, commitment }: Item): Asset | undefined => {
  const { confirmation_status, from: owner, failure_reason } = commitment;
  if (asset !== undefined && confirmation_status === 'FAILED') return asset;
  const state = foldEvent(asset?.state, record as EventRecord);
  if (state === undefined) return undefined;
  if (asset !== undefined) return { ...asset, state };
  const created = { identity: toStreamIdentityOf(record), tenant_identity: tenantIdentity, owner, confirmation_status };
  return { ...created, ...(failure_reason !== undefined && { failure_reason }), state };
};

const toShown = (entry: Item, asset: Asset | undefined): ShownEvent => {
  const record = entry.record as EventRecord;
  const attachments = isAttach(record) ? asset?.state.attributes.arc_attachments : undefined;
  const { contributed } = entry;
  const event = toEventResource(record, contributed?.writer ?? entry.tenantIdentity, entry.commitment, attachments);
  return {
    record,
    event: contributed === undefined ? event : { ...event, contribution: contributed.contribution },
  };
};

const takeEvent = ({ assets, events }: Tenant, entry: Item): void => {
  const identity = toStreamIdentityOf(entry.record);
  const before = assets.get(identity);
  const after = changeAsset(before, entry);
  if (after === undefined || (before !== undefined && isCreation(entry.record as EventRecord))) return;
  assets.set(identity, after);
  events.push(toShown(entry, after));
};

const take = (tenant: Tenant, entry: Item): void => {
  const { record, commitment } = entry;
  const isFailed = commitment.confirmation_status === 'FAILED';
  if (record.type === 'event') takeEvent(tenant, entry);
  if (record.type === 'location') takeVersion(tenant.locations, record, isFailed);
  if (record.type === 'policy') takeVersion(tenant.policies, record, isFailed);
  const stream = toStreamIdentityOf(record);
  if (record.type === 'blob' && !isFailed && !tenant.blobs.has(stream)) tenant.blobs.set(stream, record);
  const { assets, locations, policies, blobs, firsts } = tenant;
  if (![assets, locations, policies, blobs].some((members) => members.has(stream))) return;
  for (const identity of [record.identity, stream]) if (!firsts.has(identity)) firsts.set(identity, entry);
};

// Records before the tenant's first record are ignored.
const toTenant = (entries: readonly Item[]): Tenant => {
  const tenant: Tenant = {
    assets: new Map(),
    events: [],
    locations: new Map(),
    policies: new Map(),
    blobs: new Map(),
    firsts: new Map(),
  };
  let isKnown = false;
  for (const entry of entries) {
    isKnown ||=
      entry.record.type === 'tenant' &&
      toStreamIdentityOf(entry.record) === entry.tenantIdentity &&
      namesHeld(entry.record, undefined);
    if (isKnown) take(tenant, entry);
  }
  return tenant;
};

/** The answers of `LedgerView`, lists without pages. */
export interface NaiveView {
  readAsset(tenantIdentity: string, uuid: string): Asset | undefined;
  readAssetAt(tenantIdentity: string, uuid: string, atMs: number): Asset | undefined;
  readCreatedAsset(tenantIdentity: string, uuid: string): Asset | undefined;
  readEvent(tenantIdentity: string, assetUuid: string, eventUuid: string): EventResource | undefined;
  listAssets(tenantIdentity: string, query: AssetQuery): Asset[];
  listEvents(tenantIdentity: string, query: EventQuery): EventResource[];
  readPublicTenant(uuid: string): string | undefined;
  readLocation(tenantIdentity: string, uuid: string): LocationResource | undefined;
  readLocationVersion(tenantIdentity: string, uuid: string, version: string): LocationRecord | undefined;
  listLocations(tenantIdentity: string, query: LocationQuery): LocationResource[];
  readPolicy(tenantIdentity: string, uuid: string): PolicyResource | undefined;
  readPolicyVersion(tenantIdentity: string, uuid: string, version: string): PolicyRecord | undefined;
  listPolicies(tenantIdentity: string, query: PolicyQuery): PolicyResource[];
  /** The events of this display type, in the order of the ledger. */
  readPolicyEvents(tenantIdentity: string, assetUuid: string, atMs: number, displayType: string): NaivePolicyEvent[];
  readBlob(tenantIdentity: string, uuid: string): BlobResource | undefined;
  listBlobs(tenantIdentity: string, query: { sha256: string; attachedByMax: number }): KnownBlob[];
  readBlobBytes(tenantIdentity: string): number;
  isContentKnown(tenantIdentity: string, sha256: string): boolean;
}

const isOf =
  (tenantIdentity: string) =>
  (entry: { tenantIdentity: string }): boolean =>
    entry.tenantIdentity === tenantIdentity;

const isPublic = ({ record }: { record: LedgerRecord }): boolean =>
  record.type === 'event' && isCreation(record) && (record.asset_settings as AssetSettings).public;

/** The view over these logs, in the order of the chain, and these entries of the outbox, oldest first. */
export const createNaiveView = (
  logs: readonly NaiveLog[],
  outbox: readonly UncommittedRecord[],
  tenants: readonly string[],
): NaiveView => {
  const contributions = findContributions(logs);
  const committed = logs.flatMap((log, at) => toCommitted(log, contributions.get(at)));
  const isCommitted = ({ tenantIdentity, record: { identity } }: UncommittedRecord): boolean =>
    committed.some(
      (entry) =>
        entry.contributed === undefined &&
        entry.tenantIdentity === tenantIdentity &&
        entry.record.identity === identity,
    );
  const waiting = outbox
    .filter((entry) => !isCommitted(entry))
    .map(
      ({ status, failureReason, ...entry }): Item => ({ ...entry, commitment: toUncommitted(status, failureReason) }),
    );
  const entriesOf = (tenantIdentity: string): Item[] => [...committed, ...waiting].filter(isOf(tenantIdentity));
  const worlds = new Map(tenants.map((tenant) => [tenant, toTenant(entriesOf(tenant))]));
  const find = (tenantIdentity: string, identity: string): Item | undefined =>
    entriesOf(tenantIdentity).find(({ record }) => record.identity === identity);

  // The valid events that are accepted: an event that the complete history ignores is ignored in a part of it too.
  const foldOf = (tenantIdentity: string, identity: string, isTaken: (record: EventRecord) => boolean) => {
    const meant = new Set(worlds.get(tenantIdentity)!.events.map(({ record }) => record.identity));
    const taken = entriesOf(tenantIdentity).filter(
      ({ record }) => record.type !== 'event' || (meant.has(record.identity) && isTaken(record)),
    );
    return toTenant(taken).assets.get(identity);
  };
  const inOrder = <T extends { readonly identity: string }>(tenantIdentity: string, members: readonly T[]): T[] =>
    newestFirst(members, (identity) => worlds.get(tenantIdentity)!.firsts.get(identity)!);
  const listEvents = (tenantIdentity: string, query: EventQuery): EventResource[] => {
    const { assets, events } = worlds.get(tenantIdentity)!;
    const requested = events
      .map(({ event }) => event)
      .filter((event) => isRequestedEvent(event, assets.get(event.asset_identity)!, query));
    return query.order === 'newest' ? inOrder(tenantIdentity, requested) : requested.sort(byAcceptance);
  };
  const blobsOf = (tenantIdentity: string): BlobResource[] =>
    [...worlds.get(tenantIdentity)!.blobs.values()].map((record) => toBlobResource(record, tenantIdentity));
  const locationsOf = (tenantIdentity: string): LocationResource[] =>
    [...worlds.get(tenantIdentity)!.locations.values()]
      .filter((each) => each !== undefined && each.is_deleted !== true)
      .map((each) => toLocationResource(each!));
  const policiesOf = (tenantIdentity: string): PolicyResource[] =>
    [...worlds.get(tenantIdentity)!.policies.values()]
      .filter((each) => each !== undefined && !each.is_deleted)
      .map((each) => toPolicyResource(each!));

  return {
    readAsset: (tenant, uuid) => worlds.get(tenant)!.assets.get(`assets/${uuid}`),
    readAssetAt: (tenant, uuid, atMs) =>
      foldOf(tenant, `assets/${uuid}`, (record) => Date.parse(record.timestamp_accepted) <= atMs),
    readCreatedAsset: (tenant, uuid) => foldOf(tenant, `assets/${uuid}`, isCreation),
    readEvent: (tenant, assetUuid, eventUuid) => {
      const identity = `assets/${assetUuid}/events/${eventUuid}`;
      const shown = worlds.get(tenant)!.events.find(({ event }) => event.identity === identity)?.event;
      const entry = find(tenant, identity);
      return shown ?? (entry && toShown(entry, undefined).event);
    },
    listAssets: (tenant, query) => {
      const { assets, events } = worlds.get(tenant)!;
      const requested = [...assets.values()].filter((asset) => isRequestedAsset(asset, query));
      if (query.order === 'newest') return inOrder(tenant, requested);
      const creations = events.filter(({ record }) => isCreation(record)).map(({ event }) => event);
      const creationOf = ({ identity }: Asset) => creations.find((event) => event.asset_identity === identity)!;
      return requested.sort((a, b) => byAcceptance(creationOf(a), creationOf(b)));
    },
    listEvents,
    readPublicTenant: (uuid) => {
      const identity = `assets/${uuid}/events/`;
      const isCreationOf = (entry: Item): boolean => entry.record.identity.startsWith(identity) && isPublic(entry);
      const isMeant = ({ tenantIdentity, record }: Item): boolean =>
        worlds.get(tenantIdentity)!.events.some(({ event }) => event.identity === record.identity);
      return [...committed, ...waiting].find((entry) => isCreationOf(entry) && isMeant(entry))?.tenantIdentity;
    },
    readLocation: (tenant, uuid) => locationsOf(tenant).find(({ identity }) => identity === `locations/${uuid}`),
    readLocationVersion: (tenant, uuid, version) => {
      const record = find(tenant, `locations/${uuid}/versions/${version}`)?.record;
      return record?.type === 'location' ? record : undefined;
    },
    listLocations: (tenant, query) => {
      const requested = locationsOf(tenant).filter((location) => isRequestedLocation(location, query));
      return query.order === 'newest' ? inOrder(tenant, requested) : requested.sort(byName);
    },
    readPolicy: (tenant, uuid) => policiesOf(tenant).find(({ identity }) => identity === `compliance_policies/${uuid}`),
    readPolicyVersion: (tenant, uuid, version) => {
      const record = find(tenant, `compliance_policies/${uuid}/versions/${version}`)?.record;
      return record?.type === 'policy' ? record : undefined;
    },
    listPolicies: (tenant, query) => {
      const requested = policiesOf(tenant).filter((policy) => isRequestedPolicy(policy, query));
      return query.order === 'newest' ? inOrder(tenant, requested) : requested.sort(byName);
    },
    readPolicyEvents: (tenant, assetUuid, atMs, displayType) =>
      worlds
        .get(tenant)!
        .events.map(({ event }) => event)
        .filter(
          (event) =>
            event.asset_identity === `assets/${assetUuid}` &&
            event.confirmation_status !== 'FAILED' &&
            toText(event, 'arc_display_type') === displayType,
        )
        .map(toPolicyEvent)
        .filter(({ acceptedMs }) => acceptedMs <= atMs),
    readBlob: (tenant, uuid) => blobsOf(tenant).find(({ identity }) => identity === `blobs/${uuid}`),
    listBlobs: (tenant, { sha256, attachedByMax }) =>
      inOrder(
        tenant,
        blobsOf(tenant).filter(({ hash }) => hash.value === sha256),
      ).map((blob) => {
        const fields = [{ field: 'attaches' as const, value: blob.identity }];
        const rest = { assetUuid: undefined, attributes: [], times: [], order: 'newest' as const };
        const events = listEvents(tenant, { ...rest, fields }).map(({ identity }) => identity);
        return { blob, attachedBy: events.slice(0, attachedByMax), attachedByTotal: events.length };
      }),
    readBlobBytes: (tenant) => blobsOf(tenant).reduce((sum, { size }) => sum + size, 0),
    isContentKnown: (tenant, sha256) => blobsOf(tenant).some(({ hash }) => hash.value === sha256),
  };
};
