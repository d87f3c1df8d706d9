// Bytes and their text: lower-case hexadecimal with a `0x` prefix, as JSON-RPC writes them.

/** Lower-case hexadecimal with a `0x` prefix. */
export type Hex = `0x${string}`;

/** `0x` text of the bytes. */
export const toHex = (bytes: Uint8Array): Hex =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;

// Buffer takes characters by their low byte, so that other alphabets would pass for digits.
const TEXT = /^0x[0-9a-fA-F]*$/;

/**
 * Bytes of `0x` text of an even number of digits, in either case.
 * @throws TypeError for anything else.
 */
export const fromHex = (text: string): Uint8Array => {
  if (!TEXT.test(text) || text.length % 2 !== 0) throw new TypeError('not 0x hexadecimal');
  return Buffer.from(text.slice(2), 'hex');
};
