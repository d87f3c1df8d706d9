// What the verifier uses of Node's Buffer, for a browser, which has none: the bytes of hexadecimal digits or of ASCII
// text, and hexadecimal digits of bytes. The build injects it.
const encoder = new TextEncoder();

const toDigits = (bytes: Uint8Array): string => {
  let digits = '';
  for (const byte of bytes) digits += byte.toString(16).padStart(2, '0');
  return digits;
};

// The caller has checked that all characters are digits.
const parseDigits = (digits: string): Uint8Array => {
  const bytes = new Uint8Array(digits.length / 2);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16);
  return bytes;
};

type From = ((text: string, encoding: 'hex' | 'ascii') => Uint8Array) &
  ((bytes: ArrayBuffer, offset: number, length: number) => { toString(encoding: 'hex'): string });

const from = (source: string | ArrayBuffer, option: 'hex' | 'ascii' | number, length?: number) => {
  if (typeof source === 'string') return option === 'hex' ? parseDigits(source) : encoder.encode(source);
  const bytes = new Uint8Array(source, option as number, length);
  return { toString: () => toDigits(bytes) };
};

/** Stands in for Node's Buffer. */
export const Buffer = { from: from as From };
