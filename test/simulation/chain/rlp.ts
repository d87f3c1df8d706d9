// Recursive length prefix (yellow paper, appendix B): the encoding of transactions and of block headers.
import { refuseParams } from '../../../chain/jsonRpc/rpcError.ts';

/** One item of a list: its place in the bytes of the list, and its content. */
export interface RlpItem {
  /** Position after the item's last byte. */
  readonly end: number;
  /** The bytes of a string, or the encoded items of a list. */
  readonly content: Uint8Array;
  readonly isList: boolean;
}

const STRING = 0x80;
const LIST = 0xc0;
const SHORT_MAX = 55;
const EMPTY = new Uint8Array(0);

const readLength = (bytes: Uint8Array, at: number, size: number): number => {
  let length = 0;
  for (let index = 0; index < size; index += 1) length = length * 256 + (bytes[at + index] ?? 0);
  return length;
};

const readItem = (bytes: Uint8Array, at: number): RlpItem => {
  const first = bytes[at]!;
  if (first < STRING) return { end: at + 1, content: bytes.subarray(at, at + 1), isList: false };
  const isList = first >= LIST;
  const short = first - (isList ? LIST : STRING);
  const sizeOfLength = Math.max(0, short - SHORT_MAX);
  const start = at + 1 + sizeOfLength;
  const end = start + (sizeOfLength === 0 ? short : readLength(bytes, at + 1, sizeOfLength));
  if (end > bytes.length) throw refuseParams('the RLP encoding is cut off');
  return { end, content: bytes.subarray(start, end), isList };
};

/**
 * The items of a list and the list's content, which the items' positions count from.
 * @throws RpcError INVALID_PARAMS when the bytes are not exactly one list.
 */
export const decodeList = (bytes: Uint8Array): { content: Uint8Array; items: RlpItem[] } => {
  const list = bytes.length === 0 ? undefined : readItem(bytes, 0);
  if (list === undefined || !list.isList || list.end !== bytes.length) throw refuseParams('not an RLP list');
  const items: RlpItem[] = [];
  for (let at = 0; at < list.content.length; at = items.at(-1)!.end) items.push(readItem(list.content, at));
  return { content: list.content, items };
};

/** The bytes of a number without leading zeros. */
export const toNumberBytes = (value: bigint | number): Uint8Array => {
  if (value === 0 || value === 0n) return EMPTY;
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
};

const encodeLength = (length: number, offset: number): Uint8Array => {
  if (length <= SHORT_MAX) return Uint8Array.of(offset + length);
  const bytes = toNumberBytes(length);
  return Uint8Array.of(offset + SHORT_MAX + bytes.length, ...bytes);
};

/** Encodes a byte string. */
export const encodeString = (bytes: Uint8Array): Uint8Array =>
  bytes.length === 1 && bytes[0]! < STRING ? bytes : Buffer.concat([encodeLength(bytes.length, STRING), bytes]);

/** Encodes a list of items that are encoded already. */
export const encodeList = (...items: readonly Uint8Array[]): Uint8Array => {
  const length = items.reduce((sum, item) => sum + item.length, 0);
  return Buffer.concat([encodeLength(length, LIST), ...items]);
};
