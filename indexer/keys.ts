// All keys of the index. A key is one byte for the table, then fields that have a fixed width or end themselves: so
// keys sort like what they identify, and a range never overlaps its neighbour. docs/index-format.md shows the keys and
// rows of one event.
import type { Column } from './rows/columns.ts';
import { NUMBER_BYTES, TABLES, table, toUint32 } from './tables.ts';

/** Version of the layout of keys and rows. An index with another version is wiped and rebuilt. */
export const LAYOUT_VERSION = 20;
/** The first layout whose rows have checksums. */
export const FIRST_CHECKED_LAYOUT = 9;

/** The kinds of members that a tenant has. Each member has a number, from 0, in the order of the ledger. */
export type Collection =
  | 'events'
  | 'assets'
  | 'locations'
  | 'blobs'
  | 'policies'
  | 'applications'
  | 'subjects'
  | 'accessPolicies';
const COLLECTIONS: Readonly<Record<Collection, number>> = {
  events: 0,
  assets: 1,
  locations: 2,
  blobs: 3,
  policies: 4,
  applications: 5,
  subjects: 6,
  accessPolicies: 7,
};

const COLUMNS: Readonly<Record<Column, number>> = {
  timestamp_accepted: 0,
  timestamp_declared: 1,
  timestamp_committed: 2,
  asset: 3,
};

const TENANT_KEY_BYTES = 32;
const CONTENT_BYTES = 32;
/** Length of a tenant's key, and of a stream's. */
const KEY_BYTES = 32;

// Milliseconds since the epoch, possibly negative, as bytes that sort by time.
const TIME_OFFSET = 2n ** 62n;
const toTime = (atMs: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(atMs) + TIME_OFFSET);
  return bytes;
};

const NAME = Symbol('name');

/**
 * A key as a text, to use it as the key of a map. The key keeps it, since a row's key is looked up in several maps: a
 * text that is used again has its hash code already. A key must not be changed.
 */
export const toKeyName = (key: Uint8Array & { [NAME]?: string }): string => {
  const known = key[NAME];
  if (known !== undefined) return known;
  const name = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
  key[NAME] = name;
  return name;
};

/** The key of the cursor. */
export const cursorKey = (): Buffer => table('cursor');
/** The key of the count of the records whose payload version is unknown. */
export const newerRecordsKey = (): Buffer => table('newerRecords');
/** The key of a tenant's record: its row is the record with its place; for an event, the event's number. */
export const recordKey = (tenantKey: Uint8Array, key: Uint8Array): Buffer => table('records', tenantKey, key);
/** The key of an asset's row. */
export const assetKey = (tenantKey: Uint8Array, streamKey: Uint8Array): Buffer => table('assets', tenantKey, streamKey);
/** The tenant key in a key of a table whose keys begin with one. */
export const tenantOf = (key: Uint8Array): Uint8Array => key.subarray(1, 1 + TENANT_KEY_BYTES);
/** Whether a key is that of a tenant's row. */
export const isTenantRow = (key: Uint8Array): boolean => key[0] === TABLES.tenants;
/** The key of a tenant's row. */
export const tenantRowKey = (tenantKey: Uint8Array): Buffer => table('tenants', tenantKey);
/** The key of the tenant that has a name. `nameHash`: keccak256 of the name. */
export const tenantNameKey = (nameHash: Uint8Array): Buffer => table('tenantNames', nameHash);
/** The key of the tenant that owns an application. */
export const applicationTenantKey = (streamKey: Uint8Array): Buffer => table('applications', streamKey);
/** The key of the tenant that owns a public asset. */
export const publicAssetKey = (streamKey: Uint8Array): Buffer => table('publicAssets', streamKey);
/** The key of the event with this number among those of all public assets. */
export const publicEventKey = (number: number): Buffer => table('publicEvents', toUint32(number));
/** The key of the number of the last event that changed the lists which contain an asset of this chunk of assets. */
export const assetChangesKey = (tenantKey: Uint8Array, chunk: number): Buffer =>
  table('assetChanges', tenantKey, toUint32(chunk));
/** The key of the newest version of a member of a named collection. */
export const namedKey = (tenantKey: Uint8Array, collection: Collection, streamKey: Uint8Array): Buffer =>
  table('named', tenantKey, Uint8Array.of(COLLECTIONS[collection]), streamKey);
/** The key of the newest policy page of one display type of an asset. `typeHash`: 16 bytes. */
export const policyHeadKey = (tenantKey: Uint8Array, streamKey: Uint8Array, typeHash: Uint8Array): Buffer =>
  table('policyHeads', tenantKey, streamKey, typeHash);
/** The key of a full policy page. `beforeMs`: the latest time of acceptance on the pages before it. */
export const policyPageKey = (
  tenantKey: Uint8Array,
  streamKey: Uint8Array,
  typeHash: Uint8Array,
  { beforeMs, page }: { readonly beforeMs: number; readonly page: number },
): Buffer => table('policyPages', tenantKey, streamKey, typeHash, toTime(beforeMs), toUint32(page));
/** The key of a blob's fingerprint. */
export const blobKey = (tenantKey: Uint8Array, streamKey: Uint8Array): Buffer => table('blobs', tenantKey, streamKey);
/** The key whose row exists if a blob of the tenant has this content. */
export const contentKey = (tenantKey: Uint8Array, sha256: Uint8Array): Buffer => table('contents', tenantKey, sha256);
/** The key of a tenant's blob with this content that a public record attaches. */
export const publicBlobKey = (sha256: Uint8Array, tenantKey: Uint8Array, streamKey: Uint8Array): Buffer =>
  table('publicBlobs', sha256, tenantKey, streamKey);
/** The key of the sum of the sizes of a tenant's blobs, in bytes. */
export const recordBytesKey = (tenantKey: Uint8Array): Buffer => table('recordBytes', tenantKey);

export const blobBytesKey = (tenantKey: Uint8Array): Buffer => table('blobBytes', tenantKey);
/** The key whose row exists if this record is a version that followed another one than that which held. */
export const conflictKey = (tenantKey: Uint8Array, key: Uint8Array): Buffer => table('conflicts', tenantKey, key);
/** The key of the number of members of a collection. */
export const counterKey = (tenantKey: Uint8Array, collection: Collection): Buffer =>
  table('counters', tenantKey, Uint8Array.of(COLLECTIONS[collection]));
/**
 * The key of the member with this number: its row is the event with its place; for other collections, the stream's key.
 */
export const memberKey = (tenantKey: Uint8Array, collection: Collection, number: number): Buffer =>
  table('members', tenantKey, Uint8Array.of(COLLECTIONS[collection]), toUint32(number));
/**
 * The key of one chunk of a posting list. `list`: a term of indexer/projection/terms.ts; no term is a prefix of
 * another.
 */
export const postingKey = (tenantKey: Uint8Array, list: string, chunk: number): Buffer => {
  const listAt = 1 + tenantKey.length;
  const chunkAt = listAt + Buffer.byteLength(list);
  const key = Buffer.allocUnsafe(chunkAt + NUMBER_BYTES);
  key[0] = TABLES.postings;
  key.set(tenantKey, 1);
  key.write(list, listAt);
  key.writeUInt32BE(chunk, chunkAt);
  return key;
};
const KEY_LENGTHS: Partial<Record<number, number>> = {
  [TABLES.records]: 1 + TENANT_KEY_BYTES + KEY_BYTES,
  [TABLES.members]: 1 + TENANT_KEY_BYTES + 1 + NUMBER_BYTES,
  [TABLES.tenants]: 1 + TENANT_KEY_BYTES,
};
/** Whether a key of the tables `records`, `members` and `tenants` has their length; true for any other table. */
export const hasValidLength = (key: Uint8Array): boolean => (KEY_LENGTHS[key[0]!] ?? key.length) === key.length;
/** The record key in a key of the table `records`; undefined for a key of another table. */
export const recordKeyOf = (key: Uint8Array): Uint8Array | undefined =>
  key[0] === TABLES.records ? key.subarray(1 + TENANT_KEY_BYTES) : undefined;
/** The event's number in an event's key of the table `members`; undefined for any other key. */
export const eventNumberOf = (key: Buffer): number | undefined => {
  const numberAt = 1 + TENANT_KEY_BYTES + 1;
  const isEvent = key[0] === TABLES.members && key[numberAt - 1] === COLLECTIONS.events;
  return isEvent ? key.readUInt32BE(numberAt) : undefined;
};
/** The key of one page of a column. */
export const columnKey = (tenantKey: Uint8Array, column: Column, page: number): Buffer =>
  table('columns', tenantKey, Uint8Array.of(COLUMNS[column]), toUint32(page));
/** The key of the zone of one chunk of events. */
export const zoneKey = (tenantKey: Uint8Array, chunk: number): Buffer => table('zones', tenantKey, toUint32(chunk));
/** The key of an asset's checkpoint after `eventCount` events, of which the latest was accepted at `latestMs`. */
export const checkpointKey = (
  tenantKey: Uint8Array,
  streamKey: Uint8Array,
  latestMs: number,
  eventCount: number,
): Buffer => table('checkpoints', tenantKey, streamKey, toTime(latestMs), toUint32(eventCount));

// A zero byte ends a name. A zero inside the name is written as 0x00 0xff, which keeps the order of the bytes.
const toOrderedText = (text: string): Buffer => Buffer.from(`${text.replaceAll('\0', '\0\xff')}\0`, 'utf8');

/** The key of a member of a collection by its name, then by its UUID. */
export const nameKey = (tenantKey: Uint8Array, collection: Collection, name: string, uuid: string): Buffer =>
  table('names', tenantKey, Uint8Array.of(COLLECTIONS[collection]), toOrderedText(name), Buffer.from(uuid));

/** A range of keys, with LevelDB's names for its bounds. */
export interface KeyRange {
  readonly gt?: Buffer;
  readonly gte?: Buffer;
  readonly lt?: Buffer;
  readonly lte?: Buffer;
}

const HIGHEST_NUMBER = 2 ** 32 - 1;

/** The chunks `first` to `last` of a posting list, both included. */
export const postingRange = (
  tenantKey: Uint8Array,
  list: string,
  first = 0,
  last = HIGHEST_NUMBER,
): Required<Pick<KeyRange, 'gte' | 'lte'>> => ({
  gte: postingKey(tenantKey, list, first),
  lte: postingKey(tenantKey, list, last),
});

/** The zones of the chunks `first` to `last`, both included. */
export const zoneRange = (tenantKey: Uint8Array, first: number, last: number): KeyRange => ({
  gte: zoneKey(tenantKey, first),
  lte: zoneKey(tenantKey, last),
});

/** The chunk at the end of a posting's or a zone's key. */
export const chunkOf = (key: Buffer): number => key.readUInt32BE(key.length - NUMBER_BYTES);

/** The checkpoints of an asset before which all events were accepted at or before `atMs`. */
export const checkpointRange = (tenantKey: Uint8Array, streamKey: Uint8Array, atMs: number): KeyRange => ({
  gte: table('checkpoints', tenantKey, streamKey),
  lte: checkpointKey(tenantKey, streamKey, atMs, HIGHEST_NUMBER),
});

/** The names of a collection, from the first or after a given one. */
export const nameRange = (tenantKey: Uint8Array, collection: Collection, after: Buffer | undefined): KeyRange => {
  const names = [tenantKey, Uint8Array.of(COLLECTIONS[collection])];
  return {
    ...(after === undefined ? { gte: table('names', ...names) } : { gt: after }),
    lt: table('names', ...names, Uint8Array.of(0xff)),
  };
};

/** The full policy pages of a display type of an asset before which all events were accepted at or before `untilMs`. */
export const policyPageRange = (
  tenantKey: Uint8Array,
  streamKey: Uint8Array,
  typeHash: Uint8Array,
  untilMs: number,
): Required<Pick<KeyRange, 'gte' | 'lte'>> => ({
  gte: table('policyPages', tenantKey, streamKey, typeHash),
  lte: policyPageKey(tenantKey, streamKey, typeHash, { beforeMs: untilMs, page: HIGHEST_NUMBER }),
});

/** The rows of all tenants. */
export const tenantRange = (): KeyRange => ({ gte: table('tenants'), lt: Buffer.of(TABLES.tenants + 1) });

/** The blobs with this content that public records attach, from the first or after a given one. */
export const publicBlobRange = (sha256: Uint8Array, after: Buffer | undefined): KeyRange => ({
  ...(after === undefined ? { gte: table('publicBlobs', sha256) } : { gt: after }),
  lt: table('publicBlobs', sha256, Buffer.alloc(2 * KEY_BYTES + 1, 0xff)),
});

/** The contents of all blobs of a tenant. */
export const contentRange = (tenantKey: Uint8Array): KeyRange => ({
  gte: table('contents', tenantKey),
  lt: table('contents', tenantKey, Buffer.alloc(CONTENT_BYTES + 1, 0xff)),
});

/** The SHA-256 at the end of a content's key, in lower-case hexadecimal. */
export const contentOf = (key: Buffer): string => key.subarray(-CONTENT_BYTES).toString('hex');
