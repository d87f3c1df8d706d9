// Operations on bytes that every format of this folder needs, without Node's Buffer.
import { assertReadable } from './unreadableEvidence.ts';

const UINT32 = 2 ** 32;

/** Whether two byte arrays have the same length and content. Doesn't hide where they differ. */
export const isSameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

/** The concatenation of `parts`. */
export const concatBytes = (parts: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

/** A view of the bytes for reading and writing numbers. */
export const toView = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Writes a safe integer that isn't negative as a big-endian uint64. */
export const writeUint64 = (bytes: Uint8Array, at: number, value: number): void => {
  const view = toView(bytes);
  view.setUint32(at, Math.floor(value / UINT32));
  view.setUint32(at + 4, value % UINT32);
};

/**
 * Reads a big-endian uint64.
 * @throws UnreadableEvidence when it exceeds the largest safe integer.
 */
export const readUint64 = (bytes: Uint8Array, at: number): number => {
  const view = toView(bytes);
  const value = view.getUint32(at) * UINT32 + view.getUint32(at + 4);
  assertReadable(Number.isSafeInteger(value), 'a number exceeds 2^53 - 1');
  return value;
};
