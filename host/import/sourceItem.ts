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

/** The item of a JSON value; undefined is a text that isn't JSON. The asset of an event is that of its identity. */
export const toSourceItem = (line: number, value: unknown): SourceItem => {
  const refuse = (reason: string): SourceRefusal => ({ kind: 'refusal', line, reason });
  if (!isJsonObject(value)) return refuse(value === undefined ? 'is not JSON' : 'is no JSON object');
  const record = toRecord(line, value);
  if (record === undefined) return refuse('is no asset or event with an identity');
  if (value.confirmation_status === 'FAILED') return refuse(`${record.identity}: its source refused it`);
  if (isOfOtherAsset(record)) return refuse(`${record.identity}: its asset_identity is that of another asset`);
  return record;
};
