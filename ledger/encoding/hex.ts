// Bytes as texts: lower-case hexadecimal with a `0x` prefix, as in JSON-RPC.

/** Lower-case hexadecimal with a `0x` prefix. */
export type Hex = `0x${string}`;

/** The bytes as `0x` text. */
export const toHex = (bytes: Uint8Array): Hex =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;

// Buffer uses only the low byte of a character, so it would accept characters of other alphabets as digits.
const TEXT = /^0x[0-9a-fA-F]*$/;

/**
 * The bytes of a `0x` text with an even number of digits, in either case.
 * @throws TypeError for anything else.
 */
export const fromHex = (text: string): Uint8Array => {
  if (!TEXT.test(text) || text.length % 2 !== 0) throw new TypeError('not 0x hexadecimal');
  return Buffer.from(text.slice(2), 'hex');
};
