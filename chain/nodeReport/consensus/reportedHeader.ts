// Checks a JSON-RPC block header field by field.
import type { Hex } from '../../../ledger/encoding/hex.ts';
import type { BlockHeader } from '../../../ledger/evidence/blockHeader.ts';
import { isJsonObject } from '../../../ledger/records/attributes.ts';
import { readHeader } from '../../jsonRpc/headerFields.ts';

/** A header, and the hash that its node reports for it. */
export interface ReportedHeader {
  readonly number: number;
  /** Lower-case. */
  readonly hash: Hex;
  readonly header: BlockHeader;
}

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

const toBytes = (value: unknown, length: number): Hex | undefined =>
  typeof value === 'string' && value.length === 2 + 2 * length && /^0x[0-9a-f]*$/i.test(value)
    ? (value.toLowerCase() as Hex)
    : undefined;

const toInteger = (value: unknown): bigint | undefined =>
  typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : undefined;

/** A quantity as a number; undefined when it isn't one, or is too large to be exact. */
const decodeQuantity = (value: unknown): number | undefined => {
  const integer = toInteger(value);
  const number = integer === undefined ? Number.NaN : Number(integer);
  return Number.isSafeInteger(number) ? number : undefined;
};

/** The same, but a quantity that is too large becomes the largest exact number. */
export const decodeCappedQuantity = (value: unknown): number | undefined => {
  const integer = toInteger(value);
  return integer === undefined ? undefined : Math.min(Number(integer), Number.MAX_SAFE_INTEGER);
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
export const decodeHeader = (block: unknown): ReportedHeader | undefined => {
  if (!isJsonObject(block)) return undefined;
  const number = decodeQuantity(block.number);
  const hash = toBytes(block.hash, HASH_BYTES);
  const header = readHeader(block);
  return number === undefined || hash === undefined || typeof header === 'string'
    ? undefined
    : { number, hash, header };
};
