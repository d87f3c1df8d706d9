// What records of the source name besides their asset: locations, files and other assets. Each gets the identity that
// it has here; what was left behind stays the text that it is.
import { findMismatch } from '../../ledger/assets/attachments.ts';
import { parseAssetIdentity, parseBlobIdentity, parseLocationIdentity } from '../../ledger/identity.ts';
import { type Attributes, type AttributeValue, isAttributes } from '../../ledger/records/attributes.ts';
import type { BlobResource } from '../../ledger/records/blob.ts';
import type { ImportedBlob } from './importRequests.ts';

type StringMap = Readonly<Record<string, string>>;

/** Finds by an identity of the source what it is here; undefined for what was left behind. */
export interface Lookups {
  readonly findLocation: (identity: string) => Promise<string | undefined>;
  /** `sha256`: the hash that the reference states, in lower case. */
  readonly findBlob: (identity: string, sha256: string | undefined) => Promise<ImportedBlob | undefined>;
  /** Only what is imported already. */
  readonly findAsset: (identity: string) => string | undefined;
  /** Called once for each location and file that was left behind. */
  readonly onLeft: () => void;
}

/** Attributes that the import itself adds name what is in the source. */
const OWN_PREFIX = 'imported_';
const HASH_MEMBERS = ['arc_hash_value', 'arc_blob_hash_value'];
const SHA_256 = /^[0-9a-f]{64}$/;

const toStatedHash = (map: StringMap): string | undefined =>
  HASH_MEMBERS.map((name) => map[name]?.toLowerCase() ?? '').find((hash) => SHA_256.test(hash));

const isDescribed = (map: StringMap, { hash }: ImportedBlob): boolean =>
  findMismatch({ map }, { hash: { alg: 'SHA256', value: hash.value } } as BlobResource) === undefined;

/** The references of an import. */
export const createReferences = ({ findLocation, findBlob, findAsset, onLeft }: Lookups) => {
  const left = new Set<string>();

  const noteLeft = (identity: string, found: string | undefined): string | undefined => {
    if (found === undefined && !left.has(identity)) {
      left.add(identity);
      onLeft();
    }
    return found;
  };

  // A file with another hash than the reference states is not the one that it means.
  const findDescribed = async (identity: string, map: StringMap): Promise<string | undefined> => {
    const blob = await findBlob(identity, toStatedHash(map));
    return blob !== undefined && isDescribed(map, blob) ? blob.identity : undefined;
  };

  /** The identity here that a text of a map names; undefined for other texts. */
  const find = async (text: string, map: StringMap): Promise<string | undefined> => {
    if (!text.includes('/')) return undefined;
    const location = parseLocationIdentity(text);
    if (location !== undefined) return noteLeft(location, await findLocation(location));
    const blob = parseBlobIdentity(text);
    if (blob !== undefined) return noteLeft(blob, await findDescribed(blob, map));
    const asset = parseAssetIdentity(text);
    return asset === undefined ? undefined : findAsset(asset);
  };

  const toMap = async (map: StringMap): Promise<StringMap> => {
    const members: [string, string][] = [];
    for (const [name, text] of Object.entries(map)) members.push([name, (await find(text, map)) ?? text]);
    return Object.fromEntries(members);
  };

  const toValue = async (value: AttributeValue): Promise<AttributeValue> => {
    if (typeof value === 'string') return (await find(value, {})) ?? value;
    if (!Array.isArray(value)) return toMap(value as StringMap);
    const items: StringMap[] = [];
    for (const item of value as readonly StringMap[]) items.push(await toMap(item));
    return items;
  };

  return {
    find,
    /** Attributes with what they name as it is named here. Those that the server refuses are unchanged. */
    toHere: async (attributes: unknown): Promise<Attributes> => {
      if (!isAttributes(attributes)) return attributes as Attributes;
      const changed: [string, AttributeValue][] = [];
      for (const [name, value] of Object.entries(attributes))
        changed.push([name, name.startsWith(OWN_PREFIX) ? value : await toValue(value)]);
      return Object.fromEntries(changed);
    },
  };
};

export type References = ReturnType<typeof createReferences>;
