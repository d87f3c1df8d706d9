// Reads the gas limit out of a raw signed transaction without decoding the rest of it.

interface Item {
  readonly start: number;
  readonly end: number;
}

// Place of the gas limit among the fields, by transaction type (EIP-2718); legacy transactions have none.
const FIELD_BY_TYPE: Readonly<Record<number, number>> = { 1: 3, 2: 4, 4: 4 };
const FIELD_OF_LEGACY = 2;
const LIST_PREFIX = 0xc0;
const GAS_LIMIT_BYTES_MAX = 8;

const readInteger = (bytes: Uint8Array, start: number, end: number): number => {
  let value = 0;
  for (let at = start; at < end; at += 1) value = value * 256 + (bytes[at] ?? Number.NaN);
  return value;
};

// RLP (Ethereum yellow paper, appendix B): where the content of the item at `at` lies.
const readItem = (bytes: Uint8Array, at: number): Item => {
  const prefix = bytes[at] ?? Number.NaN;
  if (prefix < 0x80) return { start: at, end: at + 1 };
  const length = prefix - (prefix < LIST_PREFIX ? 0x80 : LIST_PREFIX);
  if (length < 56) return { start: at + 1, end: at + 1 + length };
  const start = at + 1 + length - 55;
  return { start, end: start + readInteger(bytes, at + 1, start) };
};

/** Gas limit of a raw transaction; undefined for bytes that are none of the types that carry calldata only. */
export const decodeGasLimit = (raw: Uint8Array): number | undefined => {
  const type = raw[0] ?? 0;
  const isLegacy = type >= LIST_PREFIX;
  const field = isLegacy ? FIELD_OF_LEGACY : FIELD_BY_TYPE[type];
  if (field === undefined) return undefined;
  let item = readItem(raw, readItem(raw, isLegacy ? 0 : 1).start);
  for (let index = 0; index < field; index += 1) item = readItem(raw, item.end);
  if (item.end - item.start > GAS_LIMIT_BYTES_MAX) return undefined;
  const gasLimit = readInteger(raw, item.start, item.end);
  return Number.isNaN(gasLimit) ? undefined : gasLimit;
};
