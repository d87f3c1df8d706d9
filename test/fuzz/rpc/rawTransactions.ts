// Signed transactions of all types, with fields that follow from a seed, some of them damaged after the signature.
import { concat, encodeRlp, keccak256, type RlpStructuredDataish, SigningKey, toBeHex } from 'ethers';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';

/** The fields of a transaction. Which of them it has follows from its type. */
export interface TransactionFields {
  /** Number of its account, from 0. */
  readonly sender: number;
  readonly type: number;
  readonly to: Hex | null;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  readonly price: bigint;
  readonly tip: bigint;
  readonly value: bigint;
  readonly data: Hex;
  readonly chainId: number;
  readonly accessList: { readonly address: Hex; readonly storageKeys: Hex[] }[];
  readonly blobHashes: Hex[];
  readonly authorizations: readonly { readonly address: Hex; readonly nonce: bigint }[];
  /** Position of a bit that is flipped after the signature; undefined: none. */
  readonly flippedBit: number | undefined;
}

/** The key of one of 2^32 accounts without a balance. */
const toKey = (sender: number): SigningKey => new SigningKey(`0x${(sender + 1).toString(16).padStart(64, '0')}`);

type Item = RlpStructuredDataish;

const toInteger = (value: bigint | number): string => (toBeHex(value) === '0x00' ? '0x' : toBeHex(value));
const ONE_WORD = `0x${'11'.repeat(32)}`;

const toFields = (fields: TransactionFields): Item[] => {
  const { type, price, tip, chainId, accessList, blobHashes, authorizations } = fields;
  const nonce = toInteger(fields.nonce);
  const rest = [toInteger(fields.gasLimit), fields.to ?? '0x', toInteger(fields.value), fields.data];
  if (type === 0) return [nonce, toInteger(price), ...rest];
  const list = accessList.map(({ address, storageKeys }) => [address, storageKeys]);
  const id = toInteger(chainId);
  if (type === 1) return [id, nonce, toInteger(price), ...rest, list];
  const priced = [id, nonce, toInteger(tip), toInteger(price), ...rest, list];
  if (type === 3) return [...priced, toInteger(price), blobHashes];
  // The signature of an authorization is one of an unknown account.
  const signed = authorizations.map(({ address, nonce: at }) => [id, address, toInteger(at), '0x', ONE_WORD, ONE_WORD]);
  return type === 4 ? [...priced, signed] : priced;
};

const encode = (type: number, items: Item[]): string =>
  type === 0 ? encodeRlp(items) : concat([toBeHex(type), encodeRlp(items)]);

const sign = (fields: TransactionFields): Hex => {
  const { type, chainId, sender } = fields;
  const unsigned = toFields(fields);
  const replay = type === 0 ? [toInteger(chainId), '0x', '0x'] : [];
  const { r, s, yParity } = toKey(sender).sign(keccak256(encode(type, [...unsigned, ...replay])));
  const parity = type === 0 ? BigInt(chainId) * 2n + 35n + BigInt(yParity) : yParity;
  return encode(type, [...unsigned, toInteger(parity), toInteger(BigInt(r)), toInteger(BigInt(s))]) as Hex;
};

const flip = (raw: Hex, bit: number): Hex => {
  const bytes = fromHex(raw);
  const at = Math.floor(bit / 8) % bytes.length;
  bytes[at] = bytes[at]! ^ (1 << (bit % 8));
  return toHex(bytes);
};

/** The signed transaction: encoded here, because a library refuses to encode some that a client can send. */
export const toRawTransaction = (fields: TransactionFields): Hex => {
  const raw = sign(fields);
  return fields.flippedBit === undefined ? raw : flip(raw, fields.flippedBit);
};
