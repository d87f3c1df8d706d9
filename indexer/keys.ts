// Every key of the index, in one place. Keys are bytes: one byte for the table, then fields of fixed width or with their own end, so
// that the order of keys is the order of what they stand for and a range never runs into its neighbour.
import type { Column } from './rows/columns.ts';

/** Version of the layout. An index of another version is wiped and rebuilt. */
export const LAYOUT_VERSION = 9;
/** The first layout whose rows have checksums. */
export const FIRST_CHECKED_LAYOUT = 9;

const TABLES = {
  cursor: 0,
  records: 1,
  assets: 2,
  members: 3,
  postings: 4,
  columns: 5,
  zones: 6,
  tenants: 7,
  tenantNames: 8,
  applications: 9,
  checkpoints: 10,
  publicAssets: 11,
  named: 12,
  names: 13,
  blobs: 14,
  contents: 15,
  counters: 16,
  policyHeads: 17,
  policyPages: 18,
  publicBlobs: 19,
  blobBytes: 20,
} as const;

/** What a tenant has many of. Each member has a number, from 0, in the order of the ledger. */
export type Collection = 'events' | 'assets' | 'locations' | 'blobs' | 'policies' | 'applications';
const COLLECTIONS: Readonly<Record<Collection, number>> = {
  events: 0,
  assets: 1,
  locations: 2,
  blobs: 3,
  policies: 4,
  applications: 5,
};

const COLUMNS: Readonly<Record<Column, number>> = {
  timestamp_accepted: 0,
  timestamp_declared: 1,
  timestamp_committed: 2,
  asset: 3,
};

const NUMBER_BYTES = 4;
const TENANT_KEY_BYTES = 32;
const CONTENT_BYTES = 32;
/** Of a tenant's key, and of a stream's. */
const KEY_BYTES = 32;

const table = (name: keyof typeof TABLES, ...fields: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Uint8Array.of(TABLES[name]), ...fields]);

const toUint32 = (number: number): Buffer => {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeUInt32BE(number);
  return bytes;
};

// Milliseconds since the epoch, before it too, in the order of time.
const TIME_OFFSET = 2n ** 62n;
const toTime = (atMs: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(atMs) + TIME_OFFSET);
  return bytes;
};

/** The text that stands for a key's bytes in a map. */
export const toKeyName = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1');

export const cursorKey = (): Buffer => table('cursor');
/** The record with this key of this tenant, and its commitment; or the number of the event that it is. */
export const recordKey = (tenantKey: Uint8Array, key: Uint8Array): Buffer => table('records', tenantKey, key);
/** The state of an asset. */
export const assetKey = (tenantKey: Uint8Array, streamKey: Uint8Array): Buffer => table('assets', tenantKey, streamKey);
/** The tenant key in a key of a table that has one. */
export const tenantOf = (key: Uint8Array): Uint8Array => key.subarray(1, 1 + TENANT_KEY_BYTES);
export const isTenantRow = (key: Uint8Array): boolean => key[0] === TABLES.tenants;
export const tenantRowKey = (tenantKey: Uint8Array): Buffer => table('tenants', tenantKey);
/** `nameHash`: keccak256 of the tenant's name. */
export const tenantNameKey = (nameHash: Uint8Array): Buffer => table('tenantNames', nameHash);
/** The tenant whose application this is. */
export const applicationTenantKey = (streamKey: Uint8Array): Buffer => table('applications', streamKey);
/** The tenant whose public asset this is. */
export const publicAssetKey = (streamKey: Uint8Array): Buffer => table('publicAssets', streamKey);
/** The newest version of a location, a policy or an application. */
export const namedKey = (tenantKey: Uint8Array, collection: Collection, streamKey: Uint8Array): Buffer =>
  table('named', tenantKey, Uint8Array.of(COLLECTIONS[collection]), streamKey);
/** The newest page of what compliance policies look at in the events of one display type of an asset. `typeHash` has 16 bytes. */
export const policyHeadKey = (tenantKey: Uint8Array, streamKey: Uint8Array, typeHash: Uint8Array): Buffer =>
  table('policyHeads', tenantKey, streamKey, typeHash);
/** A page that was full, after events of which the latest was accepted at `beforeMs`. */
export const policyPageKey = (
  tenantKey: Uint8Array,
  streamKey: Uint8Array,
  typeHash: Uint8Array,
  { beforeMs, page }: { readonly beforeMs: number; readonly page: number },
): Buffer => table('policyPages', tenantKey, streamKey, typeHash, toTime(beforeMs), toUint32(page));
export const blobKey = (tenantKey: Uint8Array, streamKey: Uint8Array): Buffer => table('blobs', tenantKey, streamKey);
/** Whether a blob of the tenant has this content. */
export const contentKey = (tenantKey: Uint8Array, sha256: Uint8Array): Buffer => table('contents', tenantKey, sha256);
/** That a public record attaches this blob of this tenant, with this content. */
export const publicBlobKey = (sha256: Uint8Array, tenantKey: Uint8Array, streamKey: Uint8Array): Buffer =>
  table('publicBlobs', sha256, tenantKey, streamKey);
/** Bytes of all blobs of the tenant. */
export const blobBytesKey = (tenantKey: Uint8Array): Buffer => table('blobBytes', tenantKey);
/** How many members a collection has. */
export const counterKey = (tenantKey: Uint8Array, collection: Collection): Buffer =>
  table('counters', tenantKey, Uint8Array.of(COLLECTIONS[collection]));
/** The event that has this number, with its commitment; or the key of the stream, for the other collections. */
export const memberKey = (tenantKey: Uint8Array, collection: Collection, number: number): Buffer =>
  table('members', tenantKey, Uint8Array.of(COLLECTIONS[collection]), toUint32(number));
/** Which numbers of a chunk are in a list. `list` is a term of terms.ts, and its bytes are no beginning of another's. */
export const postingKey = (tenantKey: Uint8Array, list: string, chunk: number): Buffer =>
  table('postings', tenantKey, Buffer.from(list), toUint32(chunk));
/** Key of the record whose row, or whose event's number, a key stands for; undefined for a key of anything else. */
export const recordKeyOf = (key: Uint8Array): Uint8Array | undefined =>
  key[0] === TABLES.records ? key.subarray(1 + TENANT_KEY_BYTES) : undefined;
/** The number of the event that a key stands for; undefined for a key of anything else. */
export const eventNumberOf = (key: Buffer): number | undefined => {
  const numberAt = 1 + TENANT_KEY_BYTES + 1;
  const isEvent = key[0] === TABLES.members && key[numberAt - 1] === COLLECTIONS.events;
  return isEvent ? key.readUInt32BE(numberAt) : undefined;
};
/** Values of a column for the events of one page. */
export const columnKey = (tenantKey: Uint8Array, column: Column, page: number): Buffer =>
  table('columns', tenantKey, Uint8Array.of(COLUMNS[column]), toUint32(page));
/** Earliest and latest times of the events of one chunk. */
export const zoneKey = (tenantKey: Uint8Array, chunk: number): Buffer => table('zones', tenantKey, toUint32(chunk));
/** The state of an asset after `eventCount` events, of which the latest was accepted at `latestMs`. */
export const checkpointKey = (
  tenantKey: Uint8Array,
  streamKey: Uint8Array,
  latestMs: number,
  eventCount: number,
): Buffer => table('checkpoints', tenantKey, streamKey, toTime(latestMs), toUint32(eventCount));

// Zero ends a name, so a zero in it is written as 0, 0xff: the order stays that of the bytes.
const toOrderedText = (text: string): Buffer => Buffer.from(`${text.replaceAll('\0', '\0\xff')}\0`, 'utf8');

/** A member of a collection by its name, then by its UUID. */
export const nameKey = (tenantKey: Uint8Array, collection: Collection, name: string, uuid: string): Buffer =>
  table('names', tenantKey, Uint8Array.of(COLLECTIONS[collection]), toOrderedText(name), Buffer.from(uuid));

/** A range of keys, by the names that LevelDB gives its ends. */
export interface KeyRange {
  readonly gt?: Buffer;
  readonly gte?: Buffer;
  readonly lt?: Buffer;
  readonly lte?: Buffer;
}

const HIGHEST_NUMBER = 2 ** 32 - 1;

/** The chunks of a list from `first` to `last`, both included. */
export const postingRange = (
  tenantKey: Uint8Array,
  list: string,
  first = 0,
  last = HIGHEST_NUMBER,
): Required<Pick<KeyRange, 'gte' | 'lte'>> => ({
  gte: postingKey(tenantKey, list, first),
  lte: postingKey(tenantKey, list, last),
});

/** The zones of the chunks from `first` to `last`, both included. */
export const zoneRange = (tenantKey: Uint8Array, first: number, last: number): KeyRange => ({
  gte: zoneKey(tenantKey, first),
  lte: zoneKey(tenantKey, last),
});

/** The chunk at the end of a posting's or a zone's key. */
export const chunkOf = (key: Buffer): number => key.readUInt32BE(key.length - NUMBER_BYTES);

/** The checkpoints of an asset whose events were all accepted at or before `atMs`. */
export const checkpointRange = (tenantKey: Uint8Array, streamKey: Uint8Array, atMs: number): KeyRange => ({
  gte: table('checkpoints', tenantKey, streamKey),
  lte: checkpointKey(tenantKey, streamKey, atMs, HIGHEST_NUMBER),
});

/** The names of a collection, after one of them or from the first. */
export const nameRange = (tenantKey: Uint8Array, collection: Collection, after: Buffer | undefined): KeyRange => {
  const names = [tenantKey, Uint8Array.of(COLLECTIONS[collection])];
  return {
    ...(after === undefined ? { gte: table('names', ...names) } : { gt: after }),
    lt: table('names', ...names, Uint8Array.of(0xff)),
  };
};

/** The full pages of a display type of an asset before which all events were accepted at or before `untilMs`. */
export const policyPageRange = (
  tenantKey: Uint8Array,
  streamKey: Uint8Array,
  typeHash: Uint8Array,
  untilMs: number,
): Required<Pick<KeyRange, 'gte' | 'lte'>> => ({
  gte: table('policyPages', tenantKey, streamKey, typeHash),
  lte: policyPageKey(tenantKey, streamKey, typeHash, { beforeMs: untilMs, page: HIGHEST_NUMBER }),
});

/** All tenants. */
export const tenantRange = (): KeyRange => ({ gte: table('tenants'), lt: Buffer.of(TABLES.tenants + 1) });

/** The blobs with this content that public records attach, after one of them or from the first. */
export const publicBlobRange = (sha256: Uint8Array, after: Buffer | undefined): KeyRange => ({
  ...(after === undefined ? { gte: table('publicBlobs', sha256) } : { gt: after }),
  lt: table('publicBlobs', sha256, Buffer.alloc(2 * KEY_BYTES + 1, 0xff)),
});

/** All contents of a tenant. */
export const contentRange = (tenantKey: Uint8Array): KeyRange => ({
  gte: table('contents', tenantKey),
  lt: table('contents', tenantKey, Buffer.alloc(CONTENT_BYTES + 1, 0xff)),
});

/** The SHA-256 at the end of a content's key, in lower-case hexadecimal. */
export const contentOf = (key: Buffer): string => key.subarray(-CONTENT_BYTES).toString('hex');
