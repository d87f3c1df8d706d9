// What the index holds under its keys, all of it JSON.
import type { Hex } from '../ledger/hex.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Asset, Commitment } from '../ledger/resources.ts';
import type { ApplicationRecord, TenantRecord } from '../ledger/tenancyRecord.ts';

/** Where the index stands: everything up to this block of this chain is in it. */
export interface Cursor {
  readonly layoutVersion: number;
  readonly contract: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
}

export interface RecordRow {
  readonly record: LedgerRecord;
  readonly commitment: Commitment;
}

export interface AssetRow extends Asset {
  /** Key of the record that created the asset, and where it is in the ledger. Hexadecimal. */
  readonly creationKey: Hex;
  readonly creationPosition: Hex;
}

export interface TenantRow {
  readonly identity: string;
  readonly tenant: TenantRecord;
}

export interface ApplicationRow {
  readonly tenantIdentity: string;
  readonly application: ApplicationRecord;
}

export type Row = Cursor | RecordRow | AssetRow | TenantRow | ApplicationRow | Hex | string | number;

/** One change of the index. `value` undefined deletes. */
export interface Write {
  readonly key: Buffer;
  readonly value: Row | undefined;
}
