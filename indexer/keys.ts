// Every key of the index, in one place. Keys are bytes: one byte for the table, then fields of fixed width, so that the
// order of keys is the order of what they stand for and a range never runs into its neighbour.
import { fromHex } from '../ledger/hex.ts';

/** Version of the layout. An index of another version is wiped and rebuilt. */
export const LAYOUT_VERSION = 1;

const TABLES = {
  cursor: 0,
  records: 1,
  assets: 2,
  lists: 3,
  counts: 4,
  tenants: 5,
  tenantNames: 6,
  applications: 7,
} as const;
const LISTS = { eventsOfTenant: 1, eventsOfAsset: 2, trackedAssets: 3 } as const;

const BLOCK_BYTES = 6; // 2^48 blocks
const LOG_BYTES = 4; // 2^32 logs in a block
/** Width of a position: where in the ledger something is, in an order that never changes. */
export const POSITION_BYTES = BLOCK_BYTES + LOG_BYTES;

const table = (name: keyof typeof TABLES, ...fields: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Uint8Array.of(TABLES[name]), ...fields]);

/** Position of a log: its block and its index in the block. */
export const toPosition = (blockNumber: number, logIndex: number): Buffer => {
  const position = Buffer.alloc(POSITION_BYTES);
  position.writeUIntBE(blockNumber, 0, BLOCK_BYTES);
  position.writeUInt32BE(logIndex, BLOCK_BYTES);
  return position;
};

export const cursorKey = (): Buffer => table('cursor');
/** The record with this key of this tenant, and its commitment. */
export const recordKey = (tenantKey: Uint8Array, key: Uint8Array): Buffer => table('records', tenantKey, key);
/** The state of an asset. */
export const assetKey = (tenantKey: Uint8Array, streamKey: Uint8Array): Buffer => table('assets', tenantKey, streamKey);
export const tenantRowKey = (tenantKey: Uint8Array): Buffer => table('tenants', tenantKey);
/** `nameHash`: keccak256 of the tenant's name. */
export const tenantNameKey = (nameHash: Uint8Array): Buffer => table('tenantNames', nameHash);
export const applicationKey = (streamKey: Uint8Array): Buffer => table('applications', streamKey);

/** A list: what it holds, and of whom. Its entries are at `listEntryKey`, their number at `listCountKey`. */
export type ListId = Buffer;

const list = (kind: keyof typeof LISTS, ...fields: readonly Uint8Array[]): ListId =>
  Buffer.concat([Uint8Array.of(LISTS[kind]), ...fields]);

export const eventsOfTenant = (tenantKey: Uint8Array): ListId => list('eventsOfTenant', tenantKey);
export const eventsOfAsset = (tenantKey: Uint8Array, streamKey: Uint8Array): ListId =>
  list('eventsOfAsset', tenantKey, streamKey);
export const trackedAssets = (tenantKey: Uint8Array): ListId => list('trackedAssets', tenantKey);

export const listEntryKey = (id: ListId, position: Uint8Array): Buffer => table('lists', id, position);
export const listCountKey = (id: ListId): Buffer => table('counts', id);

const HIGHEST_POSITION = fromHex(`0x${'ff'.repeat(POSITION_BYTES)}`);
const LOWEST_POSITION = new Uint8Array(POSITION_BYTES);

/** The range of a list's entries that lie before `position`, or all of them. */
export const listRange = (id: ListId, before: Uint8Array | undefined): { gte: Buffer; lt?: Buffer; lte?: Buffer } => ({
  gte: listEntryKey(id, LOWEST_POSITION),
  ...(before === undefined ? { lte: listEntryKey(id, HIGHEST_POSITION) } : { lt: listEntryKey(id, before) }),
});

/** The position at the end of a list entry's key. */
export const positionOf = (entryKey: Uint8Array): Uint8Array => entryKey.subarray(entryKey.length - POSITION_BYTES);
