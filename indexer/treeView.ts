// What evidence files are made from: the trees of the tenants, and what the contract was made to attest. The index has
// checked it against the chain, up to the block of its cursor.
import type { NodePosition } from '../ledger/evidence/merkleTree.ts';
import type { RecordLeaf } from '../ledger/evidence/recordLeaf.ts';

/** Where a log is on the chain. */
export interface LogPlace {
  readonly blockNumber: number;
  readonly transactionIndex: number;
  /** Position among all logs of the block. */
  readonly logIndex: number;
}

/** A `TenantAttested` log: number of records of the tenant, and the root of its tree. */
export interface AttestedTree extends LogPlace {
  readonly size: number;
  /** 32 bytes. */
  readonly root: Uint8Array;
}

/** A `StreamAttested` log: number of records of a stream, and its head. Zeros: there was no such stream. */
export interface AttestedStream extends LogPlace {
  readonly count: number;
  /** 28 bytes. */
  readonly head: Uint8Array;
}

/** A `RecordAttested` log: a record's hash, and its position in its stream. Zeros: there was no such record. */
export interface AttestedRecord extends LogPlace {
  /** 28 bytes. */
  readonly hash: Uint8Array;
  readonly sequence: number;
}

/** A leaf of a tenant's tree with its record. The payload may be anything that a writer recorded. */
export interface TreeRecord {
  /** Number of the leaf, from 0. */
  readonly index: number;
  readonly leaf: RecordLeaf;
  readonly recordKey: Uint8Array;
  readonly place: LogPlace;
  /** 20 bytes. */
  readonly author: Uint8Array;
  readonly payload: Uint8Array;
}

/**
 * Reads trees and attestations. Everything is scoped by the tenant's key. A tree only grows, so reads that follow each
 * other agree. Every read rejects with INDEX_DAMAGED or INDEX_REBUILDING as those of `LedgerView` do.
 */
export interface TreeView {
  /**
   * The newest attestation of a tenant's tree in a block up to `untilBlock`; undefined if the index has none. Of
   * earlier blocks not all are kept: it may be an older one the further `untilBlock` is behind the newest.
   */
  readAttestedTree(tenantKey: Uint8Array, untilBlock: number): Promise<AttestedTree | undefined>;
  /** The same of a stream, also of one that didn't exist. */
  readAttestedStream(
    tenantKey: Uint8Array,
    streamKey: Uint8Array,
    untilBlock: number,
  ): Promise<AttestedStream | undefined>;
  /** The same of a record, also of one that didn't exist. */
  readAttestedRecord(
    tenantKey: Uint8Array,
    recordKey: Uint8Array,
    untilBlock: number,
  ): Promise<AttestedRecord | undefined>;
  /** Identities of the other tenants that contributed events of an asset. None is ever removed. */
  readContributors(tenantKey: Uint8Array, streamKey: Uint8Array): Promise<readonly string[]>;
  /** Whether a contribution of the tenant, by the identity of its record, became an event of the asset. */
  hasEffect(tenantKey: Uint8Array, identity: string): Promise<boolean>;
  /** Identities of all access policies of a tenant, deleted ones too, oldest first. */
  listAccessPolicies(tenantKey: Uint8Array): Promise<readonly string[]>;
  /** Number of the leaf of the tenant's own record: those before it have no effect. Infinite where there is none. */
  findOwnRecord(tenantKey: Uint8Array): Promise<number>;
  /** Number of records of the tenant that the index has. */
  readTreeSize(tenantKey: Uint8Array): Promise<number>;
  /** A record by its key; undefined if the index has none. */
  readTreeRecord(tenantKey: Uint8Array, recordKey: Uint8Array): Promise<TreeRecord | undefined>;
  /** Records `from` to `to` (sequences, from 1, both included) of a stream, fewer if it has fewer. */
  readStreamRecords(
    tenantKey: Uint8Array,
    streamKey: Uint8Array,
    from: number,
    to: number,
  ): Promise<readonly TreeRecord[]>;
  /** Leaves `from` to `to` - 1, 80 bytes each, fewer if the tree has fewer. */
  readLeaves(tenantKey: Uint8Array, from: number, to: number): AsyncIterable<Uint8Array>;
  /**
   * Hashes of complete subtrees (level 0: hashes of leaves), in the order of the positions.
   * @throws RangeError for a subtree that the tree doesn't have complete.
   */
  readNodes(tenantKey: Uint8Array, positions: readonly NodePosition[]): Promise<readonly Uint8Array[]>;
}
