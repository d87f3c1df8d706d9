// The values that the index stores: bytes for the kinds of rows that are numerous, JSON for the others.

import type { AssetState } from '../../ledger/assets/asset.ts';
import type { Asset } from '../../ledger/assets/assetResource.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { ApplicationRecord } from '../../ledger/records/application.ts';
import type { BlobRecord } from '../../ledger/records/blob.ts';
import type { LocationRecord } from '../../ledger/records/location.ts';
import type { PolicyRecord } from '../../ledger/records/policy.ts';
import type { TenantRecord } from '../../ledger/records/tenant.ts';

/** How far the index is: it contains everything up to this block of this chain. */
export interface Cursor {
  readonly layoutVersion: number;
  readonly contract: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
}

/** The newest state of an asset. */
export interface AssetRow extends Asset {
  /** Number of the asset among those of its tenant. */
  readonly number: number;
  /** Number of the event that created the asset, among those of its tenant. */
  readonly creationNumber: number;
  /** Number of the asset's events, including its creation. */
  readonly eventCount: number;
  /** The latest acceptance of any of them, in milliseconds since the epoch. */
  readonly latestAcceptedMs: number;
}

/** The state of an asset after its event with this number and all earlier ones. */
export interface CheckpointRow {
  readonly eventNumber: number;
  readonly state: AssetState;
}

/** The newest version of a tenant. */
export interface TenantRow {
  readonly identity: string;
  readonly tenant: TenantRecord;
}

/** A version of a location, a policy or an application. */
export type NamedRecord = LocationRecord | PolicyRecord | ApplicationRecord;

/** The newest version of a location, a policy or an application. */
export interface NamedRow<R extends NamedRecord = NamedRecord> {
  readonly number: number;
  readonly record: R;
}

/** The fingerprint of a blob. */
export interface BlobRow {
  readonly number: number;
  readonly record: BlobRecord;
}

/** The identities of a tenant and of one of its blobs that a public record attaches. */
export interface PublicBlobRow {
  readonly tenant: string;
  readonly blob: string;
}

/** The records whose payload has a version that this layout does not know. */
export interface NewerRecordsRow {
  readonly count: number;
  /** The block of the first. */
  readonly firstBlock: number;
}

/** The keys of the tenants whose records the index has, sorted. */
export interface ServedTenantsRow {
  readonly tenants: readonly Hex[];
}

type JsonRow =
  | Cursor
  | AssetRow
  | CheckpointRow
  | TenantRow
  | NamedRow
  | BlobRow
  | PublicBlobRow
  | NewerRecordsRow
  | ServedTenantsRow
  | string
  | number;

/** The value of a row. Bytes begin with a tag below 0x20, with which no JSON text begins. */
export type Row = JsonRow | Uint8Array;

/** One write to the index. A value of undefined deletes the row. */
export interface Write {
  readonly key: Buffer;
  readonly value: Row | undefined;
}

/** Encodes a row, without its checksum. */
export const encodeRow = (row: Row): Uint8Array => (row instanceof Uint8Array ? row : Buffer.from(JSON.stringify(row)));

const FIRST_JSON_BYTE = 0x20;

/** Decodes a row from its bytes, without their checksum. */
export const decodeRow = (bytes: Buffer): Row =>
  bytes[0]! < FIRST_JSON_BYTE ? bytes : (JSON.parse(bytes.toString()) as JsonRow);

const TAG_MEMBER = 4;
const TAG_NUMBER = 7;

/** Encodes the row under an event's record key: the event's number, under which the event itself is stored. */
export const encodeEventNumber = (number: number): Uint8Array => {
  const row = Buffer.alloc(5, TAG_NUMBER);
  row.writeUInt32BE(number, 1);
  return row;
};

/** Decodes an event's number; undefined for another kind of row. */
export const decodeEventNumber = (row: Uint8Array): number | undefined =>
  row[0] === TAG_NUMBER ? new DataView(row.buffer, row.byteOffset).getUint32(1) : undefined;

/** Encodes the row of a member that is not an event: its stream's key. */
export const encodeMember = (key: Uint8Array): Uint8Array => Buffer.concat([Uint8Array.of(TAG_MEMBER), key]);
/** Decodes a member's row to its stream's key. */
export const decodeMember = (row: Row): Uint8Array => (row as Uint8Array).subarray(1);
