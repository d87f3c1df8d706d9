// The values that the index stores: bytes for the kinds of rows that are numerous, JSON for the others.
import type { AssetState } from '../../ledger/assets/asset.ts';
import type { Asset } from '../../ledger/assets/assetResource.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { AccessPolicyRecord } from '../../ledger/records/accessPolicy.ts';
import type { ApplicationRecord } from '../../ledger/records/application.ts';
import type { BlobRecord } from '../../ledger/records/blob.ts';
import type { LocationRecord } from '../../ledger/records/location.ts';
import type { PolicyRecord } from '../../ledger/records/policy.ts';
import type { SubjectRecord } from '../../ledger/records/subject.ts';
import type { TenantRecord } from '../../ledger/records/tenant.ts';
import { type ChainPosition, decodeChainPosition, encodeChainPosition } from './chainPosition.ts';
import type { ChangesRow } from './changesRow.ts';

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
  /** Identities of the other tenants that contributed some of the events, if there are any. */
  readonly contributors?: readonly string[];
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
  /** The index has the tenant for what it shares; it isn't served. */
  readonly isSharingOnly?: true;
}

/** A version of a member of a named collection. */
export type NamedRecord = LocationRecord | PolicyRecord | ApplicationRecord | SubjectRecord | AccessPolicyRecord;

/** The newest version of a member of a named collection. */
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
  /** Identity of the tenant whose asset it is; absent if it is the blob's own. */
  readonly owner?: string;
}

/** A public asset. */
export interface PublicAssetRow {
  /** The identity of the first tenant that made its UUID public. */
  readonly tenant: string;
  /** Number of the asset among the public assets of all tenants. */
  readonly number: number;
}

/** The records whose payload has a version that this layout does not know. */
export interface NewerRecordsRow {
  readonly count: number;
  /** The block of the first. */
  readonly firstBlock: number;
}

/** The payload bytes of a tenant's records on the day of the newest one: of the time of its block, in UTC. */
export interface RecordBytesRow {
  /** Days since 1970. */
  readonly day: number;
  readonly bytes: number;
}

/** The keys of the tenants that are served, sorted, and of those that the index has only for what they share. */
export interface ServedTenantsRow {
  readonly tenants: readonly Hex[];
  readonly sharing?: readonly Hex[];
}

/** The identities of a tenant's access policies that let other tenants record events. */
export interface WritePoliciesRow {
  readonly policies: readonly string[];
}

/** A subject, and the tenant whose it is. */
export interface SubjectName {
  readonly ownerIdentity: string;
  readonly subjectIdentity: string;
}

type JsonRow =
  | Cursor
  | AssetRow
  | CheckpointRow
  | TenantRow
  | NamedRow
  | BlobRow
  | PublicBlobRow
  | PublicAssetRow
  | NewerRecordsRow
  | RecordBytesRow
  | ServedTenantsRow
  | WritePoliciesRow
  | ChangesRow<string>
  | ChangesRow<SubjectName>
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

const KEY_BYTES = 32;

/** Encodes the row of a member that is not an event: its stream's key. */
export const encodeMember = (key: Uint8Array): Uint8Array => Buffer.concat([Uint8Array.of(TAG_MEMBER), key]);
/** Encodes the row of an asset as a member: its stream's key, and where the chain has its creation. */
export const encodeAssetMember = (key: Uint8Array, position: ChainPosition): Uint8Array =>
  Buffer.concat([encodeMember(key), encodeChainPosition(position)]);
/** Decodes a member's row to its stream's key. */
export const decodeMember = (row: Row): Uint8Array => (row as Uint8Array).subarray(1, 1 + KEY_BYTES);
/** Decodes the row of an asset as a member to the position of its creation. */
export const decodeAssetPosition = (row: Row): ChainPosition =>
  decodeChainPosition((row as Uint8Array).subarray(1 + KEY_BYTES));

const TAG_PUBLIC_EVENT = 13;

/** An event of a public asset: the key of its tenant, and its number among the tenant's events. */
export interface PublicEventPlace {
  readonly tenantKey: Uint8Array;
  readonly number: number;
}

/** Encodes the row of an event of a public asset. */
export const encodePublicEvent = ({ tenantKey, number }: PublicEventPlace): Uint8Array => {
  const row = Buffer.alloc(1 + KEY_BYTES + 4, TAG_PUBLIC_EVENT);
  row.set(tenantKey, 1);
  row.writeUInt32BE(number, 1 + KEY_BYTES);
  return row;
};

/** Decodes the row of an event of a public asset. */
export const decodePublicEvent = (row: Row): PublicEventPlace => {
  const { buffer, byteOffset } = row as Uint8Array;
  return { tenantKey: decodeMember(row), number: new DataView(buffer, byteOffset).getUint32(1 + KEY_BYTES) };
};
