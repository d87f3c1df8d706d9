// Reads the call of a raw signed transaction without decoding the rest: replay does this for every block.
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';

interface Item {
  readonly start: number;
  readonly end: number;
}

// Index of `to` among the fields, by transaction type (EIP-2718); legacy transactions have no type.
const FIELD_BY_TYPE: Readonly<Record<number, number>> = { 1: 4, 2: 5, 4: 5 };
const FIELD_OF_LEGACY = 3;
const LIST_PREFIX = 0xc0;
const ADDRESS_BYTES = 20;

const readInteger = (bytes: Uint8Array, start: number, end: number): number => {
  let value = 0;
  for (let at = start; at < end; at += 1) value = value * 256 + (bytes[at] ?? Number.NaN);
  return value;
};

// RLP (Ethereum yellow paper, appendix B): the range of the content of the item at `at`.
const readItem = (bytes: Uint8Array, at: number): Item => {
  const prefix = bytes[at] ?? Number.NaN;
  if (prefix < 0x80) return { start: at, end: at + 1 };
  const length = prefix - (prefix < LIST_PREFIX ? 0x80 : LIST_PREFIX);
  if (length < 56) return { start: at + 1, end: at + 1 + length };
  const start = at + 1 + length - 55;
  return { start, end: start + readInteger(bytes, at + 1, start) };
};

/** What a transaction calls. */
export interface RawCall {
  /** Lower-case address of the recipient; undefined when the transaction creates a contract. */
  readonly to: Hex | undefined;
  readonly gasLimit: number;
  readonly data: Uint8Array;
}

/** The call of a transaction; undefined for bytes that are no transaction. */
export const readCall = (raw: Uint8Array): RawCall | undefined => {
  const type = raw[0] ?? 0;
  const isLegacy = type >= LIST_PREFIX;
  const field = isLegacy ? FIELD_OF_LEGACY : FIELD_BY_TYPE[type];
  if (field === undefined) return undefined;
  let gas = readItem(raw, readItem(raw, isLegacy ? 0 : 1).start);
  for (let index = 1; index < field; index += 1) gas = readItem(raw, gas.end);
  const to = readItem(raw, gas.end);
  const data = readItem(raw, readItem(raw, to.end).end);
  if (!(data.end <= raw.length)) return undefined;
  const isAddress = to.end - to.start === ADDRESS_BYTES;
  return {
    to: isAddress ? toHex(raw.subarray(to.start, to.end)) : undefined,
    gasLimit: readInteger(raw, gas.start, gas.end),
    data: raw.subarray(data.start, data.end),
  };
};

/**
 * Lower-case address of a transaction's recipient; undefined when it creates a contract, and for bytes that are no
 * transaction.
 */
export const readRecipient = (raw: Uint8Array): Hex | undefined => readCall(raw)?.to;
