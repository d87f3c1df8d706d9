// The hashes that identify and sign records (EIP-712), and the hash chain over a stream.
// `contracts/ProvenanceLedger.sol` computes the same: both are tested with `test/vectors/records.json`.
import { keccak256 } from './keccak.ts';

const ascii = (text: string): Uint8Array => Buffer.from(text, 'ascii');

const RECORD_TYPE = 'Record(bytes32 tenant,bytes32 stream,bytes32 id,address author,bytes payload)';
const DOMAIN_TYPEHASH = keccak256(
  ascii('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
);
const RECORD_TYPEHASH = keccak256(ascii(RECORD_TYPE));
const APPEND_TYPEHASH = keccak256(ascii(`Append(Record[] records)${RECORD_TYPE}`));
const NAME_HASH = keccak256(ascii('ProvenanceLedger'));
const VERSION_HASH = keccak256(ascii('1'));
const EIP712_PREFIX = Uint8Array.of(0x19, 0x01);
const HEAD_BYTES = 28;
const HEAD_PADDING = new Uint8Array(32 - HEAD_BYTES);
const ADDRESS_PADDING = new Uint8Array(12);

/** Head of a stream that has no records. */
export const EMPTY_HEAD: Uint8Array = new Uint8Array(HEAD_BYTES);

/**
 * The content that a record's digest commits to, besides the contract's domain. Keys have 32 bytes, the author's
 * address 20.
 */
export interface RecordContent {
  readonly tenantKey: Uint8Array;
  readonly streamKey: Uint8Array;
  readonly recordKey: Uint8Array;
  readonly author: Uint8Array;
  readonly payload: Uint8Array;
}

const toWord = (value: bigint): Uint8Array => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');

/** EIP-712 domain separator of the ledger contract at a 20-byte address on a chain. */
export const toDomainSeparator = (domain: { chainId: number; contract: Uint8Array }): Uint8Array =>
  keccak256(DOMAIN_TYPEHASH, NAME_HASH, VERSION_HASH, toWord(BigInt(domain.chainId)), ADDRESS_PADDING, domain.contract);

/** EIP-712 `hashStruct` of one record. */
export const toRecordStructHash = (record: RecordContent): Uint8Array =>
  keccak256(
    RECORD_TYPEHASH,
    record.tenantKey,
    record.streamKey,
    record.recordKey,
    ADDRESS_PADDING,
    record.author,
    keccak256(record.payload),
  );

const toTypedDataHash = (domainSeparator: Uint8Array, structHash: Uint8Array): Uint8Array =>
  keccak256(EIP712_PREFIX, domainSeparator, structHash);

/** Digest of a record: its EIP-712 typed-data hash. The contract stores its first 28 bytes. */
export const toRecordDigest = (domainSeparator: Uint8Array, record: RecordContent): Uint8Array =>
  toTypedDataHash(domainSeparator, toRecordStructHash(record));

const toAppendTypedHash = (domainSeparator: Uint8Array, structHashes: readonly Uint8Array[]): Uint8Array =>
  toTypedDataHash(domainSeparator, keccak256(APPEND_TYPEHASH, keccak256(...structHashes)));

/** The digest that an author signs for a batch: the EIP-712 typed-data hash of `Append(Record[] records)`. */
export const toAppendDigest = (domainSeparator: Uint8Array, records: readonly RecordContent[]): Uint8Array =>
  toAppendTypedHash(domainSeparator, records.map(toRecordStructHash));

/** The digest that an author signs for a batch, and that of each of its records, as `toRecordDigest` computes it. */
export const toBatchDigests = (
  domainSeparator: Uint8Array,
  records: readonly RecordContent[],
): { readonly append: Uint8Array; readonly records: readonly Uint8Array[] } => {
  const structHashes = records.map(toRecordStructHash);
  return {
    append: toAppendTypedHash(domainSeparator, structHashes),
    records: structHashes.map((hash) => toTypedDataHash(domainSeparator, hash)),
  };
};

/** Head of a stream (28 bytes) after a record with this digest. */
export const advanceHead = (head: Uint8Array, digest: Uint8Array): Uint8Array =>
  keccak256(head, HEAD_PADDING, digest).slice(0, HEAD_BYTES);
