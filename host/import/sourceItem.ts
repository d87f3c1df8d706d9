// What a JSON value of a source is: an asset, the event that created one, another event, or nothing that is imported.
import { parseAssetIdentity, parseEventIdentity, toAssetIdentity } from '../../ledger/identity.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import { isSourceCreation } from './toImported.ts';

/** An asset or event of the source. `line` is that on which it, or the list that has it, begins. */
export interface SourceRecord {
  readonly kind: 'asset' | 'creation' | 'event';
  readonly line: number;
  readonly identity: string;
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

const toRecord = (line: number, value: SourceRecord['value']): SourceRecord | undefined => {
  if (typeof value.identity !== 'string') return undefined;
  const asset = parseAssetIdentity(value.identity);
  if (asset !== undefined) return { kind: 'asset', line, identity: asset, assetIdentity: asset, value };
  const identity = value.identity.toLowerCase();
  const event = parseEventIdentity(identity);
  if (event === undefined) return undefined;
  const assetIdentity = toAssetIdentity(event.assetUuid);
  return { kind: isSourceCreation(value) ? 'creation' : 'event', line, identity, assetIdentity, value };
};

const isOfOtherAsset = ({ assetIdentity, value: { asset_identity: named } }: SourceRecord): boolean =>
  typeof named === 'string' && named !== '' && named.toLowerCase() !== assetIdentity;

const MEMBERS = ['asset_attributes', 'asset_settings'];
const OBJECTS = {
  asset: [...MEMBERS, 'attributes'],
  creation: [...MEMBERS, 'event_attributes', 'principal_declared', 'principal_accepted'],
  event: [...MEMBERS, 'event_attributes', 'principal_declared', 'principal_accepted'],
};

const findNoObject = ({ kind, value }: SourceRecord): string | undefined =>
  OBJECTS[kind].find((name) => value[name] !== undefined && value[name] !== null && !isJsonObject(value[name]));

/** What is not imported, with the reason. */
export const toSourceRefusal = (line: number, reason: string): SourceRefusal => ({ kind: 'refusal', line, reason });

/** The item of a JSON value. The asset of an event is that of its identity. */
export const toSourceItem = (line: number, value: unknown): SourceItem => {
  if (!isJsonObject(value)) return toSourceRefusal(line, 'is no JSON object');
  const record = toRecord(line, value);
  if (record === undefined) return toSourceRefusal(line, 'is no asset or event with an identity');
  const refuse = (reason: string): SourceRefusal => toSourceRefusal(line, `${record.identity}: ${reason}`);
  if (value.confirmation_status === 'FAILED') return refuse('its source refused it');
  if (isOfOtherAsset(record)) return refuse('its asset_identity is that of another asset');
  const name = findNoObject(record);
  return name === undefined ? record : refuse(`its ${name} is no object`);
};
