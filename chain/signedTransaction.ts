// Decodes signed transactions of any size in linear time. ethers copies all that it has encoded of a list for each
// further item: for 500 KB of an access list that takes minutes. So it gets only the short fields.
import { recoverAddress, Transaction } from 'ethers';
import type { Hex } from '../ledger/encoding/hex.ts';
import { toHex } from '../ledger/encoding/hex.ts';
import { keccak256 } from '../ledger/encoding/keccak.ts';
import { concatBytes } from '../ledger/evidence/bytes.ts';
import { decodeRlp, encodeRlp, isRlpBytes, isRlpList, type RlpItem, toRlpNumber } from '../ledger/evidence/rlp.ts';

/** A signed transaction. */
export interface DecodedTransaction {
  /** Its short fields: the data is empty, and so are all lists. */
  readonly fields: Transaction;
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListEntry[];
  /** Lower-case address of the account that signed it; null: it isn't signed. */
  readonly from: Hex | null;
}

/** The storage keys of an account that a transaction pays for in advance (EIP-2930). */
export interface AccessListEntry {
  readonly address: Hex;
  readonly storageKeys: Hex[];
}

interface Envelope {
  /** 0 for a legacy transaction. */
  readonly type: number;
  readonly items: readonly RlpItem[];
}

const LIST_PREFIX = 0xc0;
const BLOB_TYPE = 3;
// By type. The access list follows, except in legacy transactions.
const DATA_INDEX: readonly number[] = [5, 6, 7, 7, 7];
const ADDRESS_BYTES = 20;
const WORD_BYTES = 32;
const SIGNATURE_ITEMS = 3;
const EMPTY = new Uint8Array();

const assertForm = (isRight: boolean): void => {
  if (!isRight) throw new Error('not a transaction');
};

const requireList = (item: RlpItem | undefined): readonly RlpItem[] => {
  assertForm(isRlpList(item));
  return item as readonly RlpItem[];
};

const requireBytes = (item: RlpItem | undefined, length?: number): Uint8Array => {
  assertForm(isRlpBytes(item, length));
  return item as Uint8Array;
};

const openEnvelope = (raw: Uint8Array): Envelope => {
  const first = raw[0] ?? 0;
  if (first >= LIST_PREFIX) return { type: 0, items: requireList(decodeRlp(raw)) };
  assertForm(first > 0 && first < DATA_INDEX.length);
  const items = requireList(decodeRlp(raw.subarray(1)));
  // Blobs may come along (EIP-4844): what is signed is the first item then.
  return { type: first, items: first === BLOB_TYPE && isRlpList(items[0]) ? items[0] : items };
};

const encode = (type: number, items: readonly RlpItem[]): Uint8Array =>
  type === 0 ? encodeRlp(items) : concatBytes([Uint8Array.of(type), encodeRlp(items)]);

const toShort = (item: RlpItem): RlpItem => {
  if (isRlpList(item)) return [];
  assertForm(item.length <= WORD_BYTES);
  return item;
};

const readFields = ({ type, items }: Envelope): Transaction => {
  const short = items.map((item, index) => toShort(index === DATA_INDEX[type] ? EMPTY : item));
  const fields = Transaction.from(toHex(encode(type, short)));
  // Throws for fees that contradict each other.
  fields.inferType();
  return fields;
};

const readAccess = (item: RlpItem): AccessListEntry => {
  const [address, keys, ...others] = requireList(item);
  assertForm(others.length === 0);
  return {
    address: toHex(requireBytes(address, ADDRESS_BYTES)),
    storageKeys: requireList(keys).map((key) => toHex(requireBytes(key, WORD_BYTES))),
  };
};

// The replay protection of legacy transactions is EIP-155.
const toSignedItems = ({ type, items }: Envelope, chainId: bigint): readonly RlpItem[] => {
  const unsigned = items.slice(0, -SIGNATURE_ITEMS);
  return type === 0 && chainId !== 0n ? [...unsigned, toRlpNumber(chainId), EMPTY, EMPTY] : unsigned;
};

const recoverSender = (envelope: Envelope, { signature, chainId }: Transaction): Hex | null => {
  if (signature === null) return null;
  const digest = keccak256(encode(envelope.type, toSignedItems(envelope, chainId)));
  return recoverAddress(toHex(digest), signature.getCanonical()).toLowerCase() as Hex;
};

/**
 * Decodes a transaction of the types 0 to 4. Of the lists only an access list is checked.
 * @throws Error for bytes that are none.
 */
export const decodeSignedTransaction = (raw: Uint8Array): DecodedTransaction => {
  const envelope = openEnvelope(raw);
  const { type, items } = envelope;
  const fields = readFields(envelope);
  return {
    fields,
    data: requireBytes(items[DATA_INDEX[type]!]),
    accessList: type === 0 ? [] : requireList(items[DATA_INDEX[type]! + 1]).map(readAccess),
    from: recoverSender(envelope, fields),
  };
};
