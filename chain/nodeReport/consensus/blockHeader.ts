// Checks a JSON-RPC block header field by field, and encodes the bytes of its hash. Consensus engines sign or hash
// variants of a header that differ in the extra data only, so the extra data is a parameter.

import { encodeRlp } from 'ethers';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { isJsonObject } from '../../../ledger/records/attributes.ts';
import { toQuantity } from '../../jsonRpc/toQuantity.ts';

/** Fields by their JSON-RPC names, lower-case: bytes, and quantities without leading zeros. */
export type BlockHeader = Readonly<Record<string, Hex>> & {
  readonly hash: Hex;
  readonly miner: Hex;
  readonly extraData: Hex;
};

/** The part of a block that every node must answer with. */
export interface BlockFacts {
  readonly number: number;
  readonly hash: Hex;
  readonly stateRoot: Hex;
  readonly timestampSeconds: number;
}

const HASH_BYTES = 32;
/** 9999-12-31T23:59:59Z: RFC 3339 has no later time. */
const TIMESTAMP_MAX = 253_402_300_799;
/** Far above the extra data of any chain: a Besu seal of 65 bytes for each of 200 validators is 17 KiB. */
const EXTRA_DATA_BYTES_MAX = 32 * 1024;

type Field = readonly [name: string, bytes: number | 'quantity' | 'extraData'];

// Order of the header's RLP: yellow paper, then EIP-1559, 4895, 4844 (two), 4788 and 7685. A header with one of these
// has all before it.
const FIELDS: readonly Field[] = [
  ['parentHash', HASH_BYTES],
  ['sha3Uncles', HASH_BYTES],
  ['miner', 20],
  ['stateRoot', HASH_BYTES],
  ['transactionsRoot', HASH_BYTES],
  ['receiptsRoot', HASH_BYTES],
  ['logsBloom', 256],
  ['difficulty', 'quantity'],
  ['number', 'quantity'],
  ['gasLimit', 'quantity'],
  ['gasUsed', 'quantity'],
  ['timestamp', 'quantity'],
  ['extraData', 'extraData'],
  ['mixHash', HASH_BYTES],
  ['nonce', 8],
];
const LATER_FIELDS: readonly Field[] = [
  ['baseFeePerGas', 'quantity'],
  ['withdrawalsRoot', HASH_BYTES],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', HASH_BYTES],
  ['requestsHash', HASH_BYTES],
];

const toBytes = (value: unknown, length: number): Hex | undefined =>
  typeof value === 'string' && value.length === 2 + 2 * length && /^0x[0-9a-f]*$/i.test(value)
    ? (value.toLowerCase() as Hex)
    : undefined;

const toExtraData = (value: unknown): Hex | undefined => {
  if (typeof value !== 'string' || value.length % 2 !== 0 || value.length > 2 + 2 * EXTRA_DATA_BYTES_MAX)
    return undefined;
  return toBytes(value, value.length / 2 - 1);
};

const normalizeQuantity = (value: unknown): Hex | undefined =>
  typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? toQuantity(BigInt(value)) : undefined;

const toField = (value: unknown, kind: Field[1]): Hex | undefined => {
  if (kind === 'quantity') return normalizeQuantity(value);
  return kind === 'extraData' ? toExtraData(value) : toBytes(value, kind);
};

/** A quantity as a number; undefined when it isn't one, or is too large to be exact. */
const decodeQuantity = (value: unknown): number | undefined => {
  const quantity = normalizeQuantity(value);
  const number = quantity === undefined ? Number.NaN : Number(quantity);
  return Number.isSafeInteger(number) ? number : undefined;
};

/** The same, but a quantity that is too large becomes the largest exact number. */
export const decodeCappedQuantity = (value: unknown): number | undefined => {
  const quantity = normalizeQuantity(value);
  return quantity === undefined ? undefined : Math.min(Number(quantity), Number.MAX_SAFE_INTEGER);
};

/** The part of a block that the report shows; undefined when any of it is missing or malformed. */
export const decodeBlockFacts = (block: unknown): BlockFacts | undefined => {
  if (!isJsonObject(block)) return undefined;
  const number = decodeQuantity(block.number);
  const timestampSeconds = decodeQuantity(block.timestamp);
  const hash = toBytes(block.hash, HASH_BYTES);
  const stateRoot = toBytes(block.stateRoot, HASH_BYTES);
  const isComplete =
    number !== undefined && timestampSeconds !== undefined && hash !== undefined && stateRoot !== undefined;
  return isComplete && timestampSeconds <= TIMESTAMP_MAX ? { number, hash, stateRoot, timestampSeconds } : undefined;
};

/** The header of a block; undefined when a field is missing or malformed. Doesn't check the hash. */
export const decodeHeader = (block: unknown): BlockHeader | undefined => {
  if (!isJsonObject(block)) return undefined;
  const later = LATER_FIELDS.filter(([name]) => block[name] !== undefined && block[name] !== null);
  const fields = [['hash', HASH_BYTES] as const, ...FIELDS, ...later];
  const entries = fields.map(([name, kind]) => [name, toField(block[name], kind)] as const);
  return entries.every(([, value]) => value !== undefined) ? (Object.fromEntries(entries) as BlockHeader) : undefined;
};

const toRlpItem = (value: Hex, kind: Field[1]): string => {
  if (kind !== 'quantity') return value;
  const digits = value.slice(2);
  return value === '0x0' ? '0x' : `0x${digits.padStart(digits.length + (digits.length % 2), '0')}`;
};

/** keccak256 of the header's RLP, with this extra data in place of its own. */
export const hashHeader = (header: BlockHeader, extraData: Hex): Uint8Array => {
  const fields = [...FIELDS, ...LATER_FIELDS].filter(([name]) => header[name] !== undefined);
  const items = fields.map(([name, kind]) => (name === 'extraData' ? extraData : toRlpItem(header[name]!, kind)));
  return keccak256(fromHex(encodeRlp(items)));
};

/** Whether a header with this extra data has the block hash that its node reports. */
export const isHashOf = (header: BlockHeader, extraData: Hex): boolean =>
  toHex(hashHeader(header, extraData)) === header.hash;
