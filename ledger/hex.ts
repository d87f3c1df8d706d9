// Bytes and their text: lower-case hexadecimal with a `0x` prefix, as JSON-RPC writes them.

/** Lower-case hexadecimal with a `0x` prefix. */
export type Hex = `0x${string}`;

/** `0x` text of the bytes. */
export const toHex = (bytes: Uint8Array): Hex =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;

/**
 * Bytes of `0x` text of an even number of digits, in either case.
 * @throws TypeError for anything else.
 */
export const fromHex = (text: string): Uint8Array => {
  const bytes = Buffer.from(text.slice(2), 'hex');
  if (!text.startsWith('0x') || bytes.length * 2 !== text.length - 2) throw new TypeError('not 0x hexadecimal');
  return bytes;
};
