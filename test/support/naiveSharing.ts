// A model of what is shared between tenants, as plain as possible: each query looks at all records. Written from the
// rules of sharing, not from the index.
import type { AssetQuery, EventQuery } from '../../indexer/ledgerView.ts';
import type { SharedReader } from '../../indexer/sharedView.ts';
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { AccessPermission, AccessPolicyRecord } from '../../ledger/records/accessPolicy.ts';
import type { Attributes } from '../../ledger/records/attributes.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { isRequestedAsset, isRequestedEvent } from './naiveQueries.ts';
import type { NaiveView } from './naiveView.ts';

/** Which tenants share what. */
export interface NaiveSharing {
  /** All tenants. */
  readonly tenants: readonly string[];
  /** The access policies in effect, by their owner. */
  readonly policies: ReadonlyMap<string, readonly AccessPolicyRecord[]>;
  /** The tenant that a subject of an owner stands for. */
  standsFor(owner: string, subject: string): string | undefined;
}

const EVERY_ASSET: AssetQuery = { tracked: 'ANY', attributes: [], fields: [], order: 'newest' };
const EVERY_EVENT: EventQuery = { assetUuid: undefined, attributes: [], fields: [], times: [], order: 'newest' };
const NOBODY = { issuer: '', subject: '', display_name: '', email: '' };

// `attributes.<name>=<value>`, or `*` for any value that isn't empty.
const meets = (attributes: Attributes, condition: string): boolean => {
  const [, name, sign, value] = /^attributes\.(.*?)(!?=)(.*)$/s.exec(condition)!;
  const own = Object.hasOwn(attributes, name!) ? attributes[name!] : undefined;
  const isPresent = own !== undefined && (typeof own === 'string' ? own !== '' : Object.keys(own).length > 0);
  return (value === '*' ? isPresent : own === value) === (sign === '=');
};

const hasName = (names: readonly string[], name: string | undefined): boolean =>
  names.includes('*') || (name !== undefined && names.includes(name));

/** The answers for a reader. `committed`: what the chain has; `own`: with the uncommitted records of its tenant. */
export const createNaiveSharedView = (
  { tenants, policies, standsFor }: NaiveSharing,
  { committed, own }: { readonly committed: NaiveView; readonly own: NaiveView },
  { tenant, reader }: { readonly tenant: string; readonly reader: SharedReader },
) => {
  const isFor = (owner: string, { subjects, user_attributes: claims }: AccessPermission): boolean => {
    if (!claims.every(({ or }) => or.some((text) => reader.claims[text.split('=')[0]!] === text.split('=')[1])))
      return false;
    const isOther = owner !== tenant && !reader.isOwnRestricted;
    if (subjects.length > 0) return isOther && subjects.some((each) => standsFor(owner, each) === tenant);
    return owner === tenant && reader.isOwnRestricted && claims.length > 0;
  };
  const namesOf = ({ include_attributes: older, asset_attributes_read: newer }: AccessPermission) => [
    ...older,
    ...newer,
  ];
  const permissionsOf = (asset: Asset): AccessPermission[] =>
    (policies.get(asset.tenant_identity) ?? [])
      .filter(({ filters }) => filters.every(({ or }) => or.some((each) => meets(asset.state.attributes, each))))
      .flatMap(({ access_permissions: given }) => given)
      .filter((each) => namesOf(each).length + each.event_arc_display_type_read.length > 0)
      .filter((each) => isFor(asset.tenant_identity, each));
  const keep = (attributes: Attributes, given: readonly AccessPermission[]): Attributes =>
    Object.fromEntries(Object.entries(attributes).filter(([name]) => hasName(given.flatMap(namesOf), name)));
  const restrictAsset = (asset: Asset, at = asset): Asset => ({
    ...at,
    state: { ...at.state, attributes: keep(at.state.attributes, permissionsOf(asset)) },
  });
  const assets = tenants
    .flatMap((each) => committed.listAssets(each, EVERY_ASSET))
    .filter((asset) => permissionsOf(asset).length > 0);
  const assetOf = ({ asset_identity: identity, tenant_identity: owner }: EventResource): Asset | undefined =>
    assets.find((asset) => asset.identity === identity && asset.tenant_identity === owner);
  const isShown = (event: EventResource): boolean => {
    const asset = assetOf(event);
    if (asset === undefined) return false;
    const type = Object.hasOwn(event.event_attributes, 'arc_display_type')
      ? event.event_attributes.arc_display_type
      : undefined;
    const name = typeof type === 'string' ? type : undefined;
    return permissionsOf(asset).some(({ event_arc_display_type_read: types }) => hasName(types, name));
  };
  const restrictEvent = (event: EventResource): EventResource => ({
    ...event,
    principal_accepted: NOBODY,
    principal_declared: NOBODY,
    asset_attributes: keep(event.asset_attributes, permissionsOf(assetOf(event)!)),
  });
  const everyEvent = tenants.flatMap((each) => committed.listEvents(each, EVERY_EVENT));
  const creationOf = ({ identity, tenant_identity: owner }: Asset): EventResource =>
    [...everyEvent, ...own.listEvents(owner, EVERY_EVENT)].find(
      (event) => event.operation === 'NewAsset' && event.asset_identity === identity && event.tenant_identity === owner,
    )!;
  const byPosition = (a: EventResource, b: EventResource): number =>
    b.block_number - a.block_number || b.log_index - a.log_index;
  const inOrder = <T extends Asset | EventResource>(
    order: string,
    ofOwn: readonly T[],
    shared: readonly T[],
    eventOf: (of: T) => EventResource,
  ) => {
    if (order === 'oldestAccepted') {
      const textOf = ({ identity, tenant_identity: owner }: T): string => `${identity} ${owner}`;
      const atMs = (event: EventResource): number => Date.parse(event.timestamp_accepted);
      return [...ofOwn, ...shared].sort((one, other) => {
        const [a, b] = [eventOf(one), eventOf(other)];
        return atMs(a) - atMs(b) || (textOf(one) < textOf(other) ? -1 : 1);
      });
    }
    const isCommitted = (of: T): boolean => eventOf(of).confirmation_status === 'CONFIRMED';
    const onChain = [...ofOwn.filter(isCommitted), ...shared].sort((a, b) => byPosition(eventOf(a), eventOf(b)));
    return [...ofOwn.filter((each) => !isCommitted(each)), ...onChain];
  };
  const isOf = (ofTenant: string | undefined, owner: string): boolean => ofTenant === undefined || ofTenant === owner;
  const find = (uuid: string, ofTenant?: string): Asset | undefined => {
    const found = assets.filter(({ identity }) => identity === `assets/${uuid}`);
    const named = found.filter(({ tenant_identity: owner }) => isOf(ofTenant, owner));
    if (named.length > 1) throw new LedgerError('ASSET_AMBIGUOUS');
    return named[0];
  };
  const eventsOf = ({ assetUuid, ofTenant }: EventQuery): EventResource[] => {
    if (assetUuid === undefined)
      return everyEvent.filter((event) => isOf(ofTenant, assetOf(event)?.tenant_identity ?? ''));
    const isOwn = !reader.isOwnRestricted && isOf(ofTenant, tenant) && own.readAsset(tenant, assetUuid) !== undefined;
    const asset = isOwn ? undefined : find(assetUuid, ofTenant);
    return everyEvent.filter((event) => asset !== undefined && assetOf(event) === asset);
  };
  return {
    readAsset: (uuid: string, ofTenant?: string): Asset | undefined => {
      const asset = find(uuid, ofTenant);
      return asset && restrictAsset(asset);
    },
    readAssetAt: (uuid: string, atMs: number, ofTenant?: string): Asset | undefined => {
      const asset = find(uuid, ofTenant);
      const past = asset && committed.readAssetAt(asset.tenant_identity, uuid, atMs);
      return past && restrictAsset(asset, past);
    },
    readEvent: (assetUuid: string, eventUuid: string, ofTenant?: string): EventResource | undefined => {
      const asset = find(assetUuid, ofTenant);
      const event = asset && committed.readEvent(asset.tenant_identity, assetUuid, eventUuid);
      return event !== undefined && isShown(event) ? restrictEvent(event) : undefined;
    },
    listAssets: (query: AssetQuery): Asset[] => {
      const isListed = ({ tenant_identity: owner }: Asset): boolean => isOf(query.ofTenant, owner);
      const ofOwn = reader.isOwnRestricted ? [] : own.listAssets(tenant, query).filter(isListed);
      const shared = assets
        .filter(isListed)
        .map((asset) => restrictAsset(asset))
        .filter((asset) => isRequestedAsset(asset, query));
      return inOrder(query.order, ofOwn, shared, creationOf);
    },
    listEvents: (query: EventQuery): EventResource[] => {
      const isOwnListed = !reader.isOwnRestricted && isOf(query.ofTenant, tenant);
      const ofOwn = isOwnListed ? own.listEvents(tenant, query) : [];
      const shared = eventsOf(query)
        .filter(isShown)
        .filter((event) => isRequestedEvent(restrictEvent(event), restrictAsset(assetOf(event)!), query))
        .filter(() => query.fields.every(({ field }) => !field.startsWith('principal_') && field !== 'attaches'));
      return inOrder(query.order, ofOwn, shared.map(restrictEvent), (event) => event);
    },
  };
};
