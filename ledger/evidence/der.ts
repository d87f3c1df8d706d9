// The strict encoding of ASN.1 (DER): lengths as short as possible, and nothing after a value. Libraries that decode
// ASN.1 accept more, also values in each other to any depth.
const LEVELS_MAX = 24;
const CONSTRUCTED = 0x20;
const LONG_TAG = 0x1f;
const LONG_LENGTH = 0x80;
const LENGTH_BYTES_MAX = 3;

/** Where the content of the value at `at` begins and ends; undefined where there is none in DER. */
const findContent = (bytes: Uint8Array, at: number, end: number): { from: number; to: number } | undefined => {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (at + 2 > end || (tag! & LONG_TAG) === LONG_TAG) return undefined;
  const count = first! < LONG_LENGTH ? 0 : first! - LONG_LENGTH;
  const from = at + 2 + count;
  if (first === LONG_LENGTH || count > LENGTH_BYTES_MAX || from > end) return undefined;
  const length = count === 0 ? first! : bytes.subarray(at + 2, from).reduce((sum, byte) => sum * 256 + byte, 0);
  const isShortest = count === 0 || length >= Math.max(LONG_LENGTH, 256 ** (count - 1));
  return isShortest && from + length <= end ? { from, to: from + length } : undefined;
};

const isSequence = (bytes: Uint8Array, from: number, end: number, levels: number): boolean => {
  let at = from;
  while (at < end) {
    const content = findContent(bytes, at, end);
    if (content === undefined || levels === 0) return false;
    const isConstructed = (bytes[at]! & CONSTRUCTED) !== 0;
    if (isConstructed && !isSequence(bytes, content.from, content.to, levels - 1)) return false;
    at = content.to;
  }
  return true;
};

/** Whether bytes are one value in DER, with tags of one byte and at most 24 levels. */
export const isDer = (bytes: Uint8Array): boolean =>
  findContent(bytes, 0, bytes.length)?.to === bytes.length && isSequence(bytes, 0, bytes.length, LEVELS_MAX);
