// A small model of the ledger: one tenant's streams, as `contracts/IProvenanceLedger.sol` describes them. Contract
// tests compare the contract with it. It shares no code with ledger/.
import { AbiCoder, keccak256 } from 'ethers';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import type { TypedRecord } from './typedData.ts';

export const EMPTY_HEAD: Hex = `0x${'00'.repeat(28)}`;

/** First 28 bytes of a hash. */
export const toBytes28 = (hash: string): Hex => hash.slice(0, 2 + 2 * 28) as Hex;

const extendHead = (head: Hex, digest: Hex): Hex =>
  toBytes28(keccak256(AbiCoder.defaultAbiCoder().encode(['bytes28', 'bytes32'], [head, digest])));

/** Head of a stream that consists of these records. */
export const toHead = (digests: readonly Hex[]): Hex => digests.reduce(extendHead, EMPTY_HEAD);

/** The arguments of a `RecordAppended` log. */
export interface ModelRecord extends TypedRecord {
  readonly author: string;
  readonly sequence: bigint;
  readonly digest: Hex;
  readonly head: Hex;
}

/** The record's id is taken by a record with other content. */
export class RecordConflict extends Error {
  readonly id: Hex;

  constructor(id: Hex) {
    super(id);
    this.id = id;
  }
}

export interface StreamModel {
  /** Digests of each stream's records in order. */
  readonly streams: ReadonlyMap<Hex, readonly Hex[]>;
  readonly records: ReadonlyMap<Hex, ModelRecord>;
  /** Appends one author's records and returns those that were new. A model that throws RecordConflict is void. */
  append(author: string, batch: readonly TypedRecord[]): ModelRecord[];
  copy(): StreamModel;
}

type DigestOf = (author: string, record: TypedRecord) => Hex;

export const createStreamModel = (
  digestOf: DigestOf,
  streams = new Map<Hex, readonly Hex[]>(),
  records = new Map<Hex, ModelRecord>(),
): StreamModel => {
  const appendRecord = (author: string, record: TypedRecord): ModelRecord[] => {
    const digest = digestOf(author, record);
    const known = records.get(record.id);
    if (known && known.digest !== digest) throw new RecordConflict(record.id);
    if (known) return [];
    const digests = [...(streams.get(record.stream) ?? []), digest];
    const appended = { ...record, author, sequence: BigInt(digests.length), digest, head: toHead(digests) };
    streams.set(record.stream, digests);
    records.set(record.id, appended);
    return [appended];
  };
  return {
    streams,
    records,
    append: (author, batch) => batch.flatMap((record) => appendRecord(author, record)),
    copy: () => createStreamModel(digestOf, new Map(streams), new Map(records)),
  };
};
