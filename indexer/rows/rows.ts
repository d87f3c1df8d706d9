// What the index holds under its keys: bytes where there are many of a kind, JSON everywhere else.

import type { AssetState } from '../../ledger/assets/asset.ts';
import type { Asset } from '../../ledger/assets/assetResource.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { ApplicationRecord } from '../../ledger/records/application.ts';
import type { BlobRecord } from '../../ledger/records/blob.ts';
import type { LocationRecord } from '../../ledger/records/location.ts';
import type { PolicyRecord } from '../../ledger/records/policy.ts';
import type { TenantRecord } from '../../ledger/records/tenant.ts';

/** Where the index stands: everything up to this block of this chain is in it. */
export interface Cursor {
  readonly layoutVersion: number;
  readonly contract: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
}

export interface AssetRow extends Asset {
  /** Number of the asset among those of its tenant. */
  readonly number: number;
  /** Number of the event that created the asset. */
  readonly creationNumber: number;
  /** Events of the asset, its creation included. */
  readonly eventCount: number;
  /** The latest time at which any of them was accepted, in milliseconds since the epoch. */
  readonly latestAcceptedMs: number;
}

/** The state of an asset after the event of this number and all before it. */
export interface CheckpointRow {
  readonly eventNumber: number;
  readonly state: AssetState;
}

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

export interface BlobRow {
  readonly number: number;
  readonly record: BlobRecord;
}

/** A blob that a public record attaches. */
export interface PublicBlobRow {
  readonly tenant: string;
  readonly blob: string;
}

type JsonRow = Cursor | AssetRow | CheckpointRow | TenantRow | NamedRow | BlobRow | PublicBlobRow | string | number;

/** Bytes begin with a tag below 0x20, which no JSON text does. */
export type Row = JsonRow | Uint8Array;

/** One change of the index. `value` undefined deletes. */
export interface Write {
  readonly key: Buffer;
  readonly value: Row | undefined;
}

/** A row as LevelDB has it. */
export const encodeRow = (row: Row): Uint8Array => (row instanceof Uint8Array ? row : Buffer.from(JSON.stringify(row)));

const FIRST_JSON_BYTE = 0x20;

/** The row of LevelDB's bytes. */
export const decodeRow = (bytes: Buffer): Row =>
  bytes[0]! < FIRST_JSON_BYTE ? bytes : (JSON.parse(bytes.toString()) as JsonRow);

const TAG_MEMBER = 4;
const TAG_NUMBER = 7;

/** The row of an event's key: the event itself is under its number. */
export const encodeEventNumber = (number: number): Uint8Array => {
  const row = Buffer.alloc(5, TAG_NUMBER);
  row.writeUInt32BE(number, 1);
  return row;
};

/** The number in a row that `encodeEventNumber` made; undefined for another row. */
export const decodeEventNumber = (row: Uint8Array): number | undefined =>
  row[0] === TAG_NUMBER ? new DataView(row.buffer, row.byteOffset).getUint32(1) : undefined;

/** The row that says which stream has a number. */
export const encodeMember = (key: Uint8Array): Uint8Array => Buffer.concat([Uint8Array.of(TAG_MEMBER), key]);
export const decodeMember = (row: Row): Uint8Array => (row as Uint8Array).subarray(1);
