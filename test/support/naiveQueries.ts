// The meaning of a ledger view's queries, one item at a time. Written from the decisions and the interface of the view,
// not from the index.
import type {
  ApplicationQuery,
  AssetQuery,
  AttributeFilter,
  EventQuery,
  LocationQuery,
  PolicyQuery,
  TimeFilter,
} from '../../indexer/ledgerView.ts';
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { attachedBlobs } from '../../ledger/assets/attachments.ts';
import type { Application } from '../../ledger/records/application.ts';
import type { Attributes, AttributeValue } from '../../ledger/records/attributes.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { LocationResource } from '../../ledger/records/location.ts';
import type { PolicyResource } from '../../ledger/records/policy.ts';

type NamedResource = Pick<LocationResource, 'identity' | 'display_name'>;

const isPresent = (value: AttributeValue | undefined): boolean =>
  value !== undefined && (typeof value === 'string' ? value !== '' : Object.keys(value).length > 0);

// What members of maps, and of the maps in lists, have a name that follows the attribute's after a dot.
const textsAt = (attributes: Attributes, path: string): string[] =>
  Object.entries(attributes).flatMap(([name, value]) => {
    const maps = typeof value === 'string' ? [] : [value].flat();
    const texts = maps.flatMap((map) => Object.entries(map as Readonly<Record<string, string>>));
    return texts.filter(([member]) => `${name}.${member}` === path).map(([, text]) => text);
  });

const holds = (attributes: Attributes, { name, is, value }: AttributeFilter): boolean => {
  const own = Object.hasOwn(attributes, name) ? [attributes[name]!] : [];
  const found = [...own, ...textsAt(attributes, name)];
  if (is === 'equal') return found.includes(value);
  if (is === 'different') return !found.includes(value);
  return found.some(isPresent) === (is === 'present');
};

const toAssetField = ({ confirmation_status, owner, state }: Asset, field: string): readonly string[] =>
  ({
    confirmation_status: [confirmation_status],
    owner: [owner],
    proof_mechanism: [state.proof_mechanism],
    public: [String(state.public)],
    behaviours: state.behaviours,
  })[field]!;

/** Whether an asset, as it is now, meets the conditions. */
export const isRequestedAsset = (asset: Asset, { tracked, attributes, fields }: AssetQuery): boolean =>
  (tracked === 'ANY' || asset.state.tracked === tracked) &&
  attributes.every((filter) => holds(asset.state.attributes, filter)) &&
  fields.every(({ field, value }) => toAssetField(asset, field).includes(value));

const toEventField = (event: EventResource, asset: Asset, field: string): readonly string[] => {
  if (field === 'attaches') return [...attachedBlobs(event.event_attributes), ...attachedBlobs(event.asset_attributes)];
  if (field === 'proof_mechanism') return [asset.state.proof_mechanism];
  const [name, inner] = field.split('.') as ['principal_declared', 'issuer' | undefined];
  return [inner === undefined ? (event[name] as unknown as string) : event[name][inner]];
};

const isIn = (event: EventResource, { time, sinceMs, beforeMs }: TimeFilter): boolean => {
  const atMs = Date.parse(event[time]);
  return (sinceMs === undefined || atMs > sinceMs) && (beforeMs === undefined || atMs < beforeMs);
};

/** Whether an event, and its asset as it is now, meet the conditions. */
export const isRequestedEvent = (event: EventResource, asset: Asset, query: EventQuery): boolean => {
  const maps = { ...event, 'asset.attributes': asset.state.attributes };
  return (
    (query.assetUuid === undefined || event.asset_identity === `assets/${query.assetUuid}`) &&
    query.attributes.every((filter) => holds(maps[filter.map], filter)) &&
    query.fields.every(({ field, value }) => toEventField(event, asset, field).includes(value)) &&
    query.times.every((filter) => isIn(event, filter))
  );
};

/** Whether a location meets the conditions. */
export const isRequestedLocation = (location: LocationResource, { attributes, fields }: LocationQuery): boolean =>
  attributes.every((filter) => holds(location.attributes, filter)) &&
  fields.every(({ field, value }) => location[field] === value);

/** Whether a policy meets the conditions. */
export const isRequestedPolicy = (policy: PolicyResource, { fields }: PolicyQuery): boolean =>
  fields.every(({ field, value }) => policy[field] === value);

/** An event attribute that is a text and not empty. */
export const toText = ({ event_attributes }: EventResource, name: string): string | undefined => {
  const value = Object.hasOwn(event_attributes, name) ? event_attributes[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** An event as compliance policies see it: events belong together where their correlation is the same text. */
export interface NaivePolicyEvent {
  readonly event: EventResource;
  readonly acceptedMs: number;
  readonly declaredMs: number;
  readonly correlation: string | undefined;
}

/** The same of an event. */
export const toPolicyEvent = (event: EventResource): NaivePolicyEvent => ({
  event,
  acceptedMs: Date.parse(event.timestamp_accepted),
  declaredMs: Date.parse(event.timestamp_declared),
  correlation: toText(event, 'arc_correlation_id') ?? toText(event, 'arc_correlation_value'),
});

/** Sorts by time of acceptance, then by identity. */
export const byAcceptance = (a: EventResource, b: EventResource): number =>
  Date.parse(a.timestamp_accepted) - Date.parse(b.timestamp_accepted) || (a.identity < b.identity ? -1 : 1);

/** Sorts by the bytes of the name, then by identity. */
export const byName = (a: NamedResource, b: NamedResource): number =>
  Buffer.compare(Buffer.from(a.display_name), Buffer.from(b.display_name)) || (a.identity < b.identity ? -1 : 1);

/** Whether an application, as it is now, meets the conditions. */
export const isRequestedApplication = ({ display_name }: Application, { fields }: ApplicationQuery): boolean =>
  fields.every(({ value }) => display_name === value);
