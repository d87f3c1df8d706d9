// What a JSON value of a source is: an asset, the event that created one, another event, a location, a policy, a file,
// or nothing that is imported.
import {
  parseAssetIdentity,
  parseBlobIdentity,
  parseEventIdentity,
  parseLocationIdentity,
  parsePolicyIdentity,
  toAssetIdentity,
} from '../../ledger/identity.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import { isSourceCreation } from './toImported.ts';

/** A record of the source. */
export interface SourceRecord {
  readonly kind: 'asset' | 'creation' | 'event' | 'location' | 'policy' | 'blob';
  /** The line on which it begins. */
  readonly line: number;
  readonly identity: string;
  /** Of what is no asset or event, its own identity. */
  readonly assetIdentity: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** What is not imported, and why. */
export interface SourceRefusal {
  readonly kind: 'refusal';
  readonly line: number;
  readonly reason: string;
}

export type SourceItem = SourceRecord | SourceRefusal;

// Lists that are answered without a token name public assets in a form of their own.
const withoutPublic = (identity: string): string => identity.replace(/^public(?=assets\/)/, '');

const PARSERS = {
  asset: parseAssetIdentity,
  location: parseLocationIdentity,
  policy: parsePolicyIdentity,
  blob: parseBlobIdentity,
} as const;

const toRecord = (line: number, value: SourceRecord['value']): SourceRecord | undefined => {
  if (typeof value.identity !== 'string') return undefined;
  const named = withoutPublic(value.identity);
  for (const kind of ['asset', 'location', 'policy', 'blob'] as const) {
    const identity = PARSERS[kind](named);
    if (identity !== undefined) return { kind, line, identity, assetIdentity: identity, value };
  }
  const identity = named.toLowerCase();
  const event = parseEventIdentity(identity);
  if (event === undefined) return undefined;
  const assetIdentity = toAssetIdentity(event.assetUuid);
  return { kind: isSourceCreation(value) ? 'creation' : 'event', line, identity, assetIdentity, value };
};

const isOfOtherAsset = ({ assetIdentity, value: { asset_identity: named } }: SourceRecord): boolean =>
  typeof named === 'string' && named !== '' && withoutPublic(named).toLowerCase() !== assetIdentity;

const MEMBERS = ['asset_attributes', 'asset_settings'];
const OBJECTS = {
  asset: [...MEMBERS, 'attributes'],
  creation: [...MEMBERS, 'event_attributes', 'principal_declared', 'principal_accepted'],
  event: [...MEMBERS, 'event_attributes', 'principal_declared', 'principal_accepted'],
  location: ['attributes'],
  policy: [],
  blob: ['hash'],
} as const satisfies Record<SourceRecord['kind'], readonly string[]>;

const findNoObject = ({ kind, value }: SourceRecord): string | undefined =>
  OBJECTS[kind].find((name) => value[name] !== undefined && value[name] !== null && !isJsonObject(value[name]));

const toSourceRefusal = (line: number, reason: string): SourceRefusal => ({ kind: 'refusal', line, reason });

/** The item of a JSON value. The asset of an event is that of its identity. */
export const toSourceItem = (line: number, value: unknown): SourceItem => {
  if (!isJsonObject(value)) return toSourceRefusal(line, 'is no JSON object');
  const record = toRecord(line, value);
  if (record === undefined)
    return toSourceRefusal(line, 'is no asset, event, location, policy or file with an identity');
  const refuse = (reason: string): SourceRefusal => toSourceRefusal(line, `${record.identity}: ${reason}`);
  if (value.confirmation_status === 'FAILED') return refuse('its source refused it');
  if (isOfOtherAsset(record)) return refuse('its asset_identity is that of another asset');
  const name = findNoObject(record);
  return name === undefined ? record : refuse(`its ${name} is no object`);
};
