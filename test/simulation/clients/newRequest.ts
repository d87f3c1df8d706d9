// The requests that clients send to create records.
import type { CreationRequest, History } from './history.ts';

/** What decides the content of a request. */
export interface RequestContent {
  readonly kind: CreationRequest['kind'];
  readonly label: string;
  /** Whether an update changes the name of the location; else it changes the description. */
  readonly renames: boolean;
}

/** What decides where a request adds its record, and with which key. */
export interface RequestTarget {
  readonly tenantIdentity: string;
  /** Chooses the asset of an event, or the location of an update. */
  readonly target: number;
  readonly isKeyed: boolean;
}

/** The body of a request. */
export const toBody = ({ kind, label, renames }: RequestContent): object => {
  const attributes = { label };
  if (kind === 'createAsset') return { attributes };
  if (kind === 'createLocation') return { display_name: label, latitude: 1, longitude: 2, attributes };
  if (kind === 'updateLocation') return { [renames ? 'display_name' : 'description']: label, attributes };
  const event_attributes = { ...attributes, arc_display_type: 'note' };
  return { behaviour: 'RecordEvidence', operation: 'Record', event_attributes };
};

const STREAMS = { createEvent: 'assets', updateLocation: 'locations' } as const;

/** A request that was not sent. An update has no key: the interface has none. */
export const toRequest = (history: History, content: RequestContent & RequestTarget): CreationRequest => {
  const { kind, label, tenantIdentity, target, isKeyed } = content;
  const isAddition = kind === 'createEvent' || kind === 'updateLocation';
  const streams = isAddition ? history.streamsOf(tenantIdentity, STREAMS[kind]) : [];
  return {
    label,
    kind,
    tenantIdentity,
    streamIdentity: streams[target % streams.length],
    key: isKeyed && kind !== 'updateLocation' ? label : undefined,
    body: toBody(content),
    attempts: [],
    sights: [],
  };
};

/** Another request like an earlier one: with its key, or for its location. Its body differs. */
export const toRival = (first: CreationRequest, { renames }: RequestContent): CreationRequest => {
  const label = `${first.label} again`;
  return { ...first, label, body: toBody({ ...first, label, renames: !renames }), attempts: [], sights: [] };
};

/** A request as a sentence of the story shows it. */
export const describe = ({ kind, label, key }: CreationRequest): string => {
  if (key === undefined) return `${kind} ${label}`;
  return `${kind} ${label} (with ${key === label ? 'a key' : `the key of ${key}`})`;
};
