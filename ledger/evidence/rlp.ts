// RLP, the encoding of headers, receipts and trie nodes (Ethereum yellow paper, appendix B). Decoding is strict: each
// value has exactly one encoding that is accepted.
import { concatBytes } from './bytes.ts';
import { assertReadable } from './unreadableEvidence.ts';

const STRING = 0x80;
const LIST = 0xc0;
const SHORT_MAX = 55;
const DEPTH_MAX = 16;
const BYTES_MAX = 16 * 1024 * 1024;
/** An item takes a hundred bytes of memory. The receipt of a batch of 1,000 records has 10,000. */
const ITEMS_MAX = 1 << 17;

/** A byte string, or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[];

/** Whether an item is a list. */
export const isRlpList = (item: RlpItem | undefined): item is readonly RlpItem[] => Array.isArray(item);

/** Whether an item is a byte string, and of this length if one is given. */
export const isRlpBytes = (item: RlpItem | undefined, length?: number): item is Uint8Array =>
  item instanceof Uint8Array && (length === undefined || item.length === length);

/**
 * A number as RLP has it: big-endian, without leading zeros, zero without bytes.
 * @throws UnreadableEvidence for a negative number, a fraction, and a `number` beyond 2^53 - 1.
 */
export const toRlpNumber = (value: number | bigint): Uint8Array => {
  const isExact = typeof value === 'bigint' || Number.isSafeInteger(value);
  assertReadable(isExact && value >= 0, 'not a number for RLP');
  const bytes: number[] = [];
  for (let rest = BigInt(value); rest > 0n; rest >>= 8n) bytes.unshift(Number(rest & 0xffn));
  return Uint8Array.from(bytes);
};

/** Whether these bytes are a number without leading zeros, of at most this many bytes. */
export const isRlpNumber = (bytes: Uint8Array, lengthMax: number): boolean =>
  bytes.length <= lengthMax && bytes[0] !== 0;

/**
 * The number in these bytes.
 * @throws UnreadableEvidence with leading zeros, or beyond 2^53 - 1.
 */
export const fromRlpNumber = (bytes: Uint8Array): number => {
  assertReadable(isRlpNumber(bytes, 8), 'not a number in RLP');
  const value = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  assertReadable(Number.isSafeInteger(value), 'a number exceeds 2^53 - 1');
  return value;
};

// A view of each byte: making a small array takes longer than all else.
const HEADS = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));

const encodeHead = (length: number, kind: number): Uint8Array => {
  if (length <= SHORT_MAX) return HEADS[kind + length]!;
  const digits = toRlpNumber(length);
  return Uint8Array.of(kind + SHORT_MAX + digits.length, ...digits);
};

const encodeParts = (item: RlpItem, parts: Uint8Array[]): number => {
  if (!isRlpList(item)) {
    const head = item.length === 1 && item[0]! < STRING ? [] : [encodeHead(item.length, STRING)];
    parts.push(...head, item);
    return item.length + (head[0]?.length ?? 0);
  }
  const at = parts.push(new Uint8Array()) - 1;
  const length = item.reduce((sum, inner) => sum + encodeParts(inner, parts), 0);
  parts[at] = encodeHead(length, LIST);
  return length + parts[at]!.length;
};

/** The encoding of an item. */
export const encodeRlp = (item: RlpItem): Uint8Array => {
  const parts: Uint8Array[] = [];
  encodeParts(item, parts);
  return concatBytes(parts);
};

/** Reads items one after the other. */
class Decoder {
  readonly #bytes: Uint8Array;
  #at = 0;
  #items = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get at(): number {
    return this.#at;
  }

  #readLongLength(digits: number, end: number): number {
    assertReadable(digits <= 4 && this.#at + digits <= end, 'a length in RLP exceeds the data');
    const length = fromRlpNumber(this.#bytes.subarray(this.#at, this.#at + digits));
    assertReadable(length > SHORT_MAX, 'a length in RLP is not minimal');
    this.#at += digits;
    return length;
  }

  #readString(first: number, end: number): Uint8Array {
    if (first < STRING) return this.#bytes.subarray(this.#at - 1, this.#at);
    const short = first - STRING;
    const length = short <= SHORT_MAX ? short : this.#readLongLength(short - SHORT_MAX, end);
    assertReadable(this.#at + length <= end, 'a string in RLP exceeds the data');
    const start = this.#at;
    this.#at += length;
    assertReadable(length !== 1 || this.#bytes[start]! >= STRING, 'a byte in RLP is not minimal');
    return this.#bytes.subarray(start, this.#at);
  }

  #readList(first: number, end: number, depth: number): RlpItem[] {
    assertReadable(depth < DEPTH_MAX, 'RLP is nested too deeply');
    const short = first - LIST;
    const length = short <= SHORT_MAX ? short : this.#readLongLength(short - SHORT_MAX, end);
    const listEnd = this.#at + length;
    assertReadable(listEnd <= end, 'a list in RLP exceeds the data');
    const items: RlpItem[] = [];
    while (this.#at < listEnd) items.push(this.read(listEnd, depth + 1));
    return items;
  }

  read(end: number, depth: number): RlpItem {
    assertReadable(this.#at < end, 'RLP ends early');
    this.#items += 1;
    assertReadable(this.#items <= ITEMS_MAX, 'RLP has too many items');
    const first = this.#bytes[this.#at]!;
    this.#at += 1;
    return first < LIST ? this.#readString(first, end) : this.#readList(first, end, depth);
  }
}

/**
 * The item that these bytes encode. Its byte strings are views of the bytes.
 * @throws UnreadableEvidence for anything but one item in its only encoding, and beyond 16 MiB, 16 levels or 2^17
 * items.
 */
export const decodeRlp = (bytes: Uint8Array): RlpItem => {
  assertReadable(bytes.length <= BYTES_MAX, 'RLP exceeds 16 MiB');
  const decoder = new Decoder(bytes);
  const item = decoder.read(bytes.length, 0);
  assertReadable(decoder.at === bytes.length, 'RLP is followed by other bytes');
  return item;
};
