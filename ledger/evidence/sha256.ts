// SHA-256, the hash of Merkle trees and of key ids.
import { createSHA256 } from 'hash-wasm';

const hasher = await createSHA256();

/** SHA-256 of the concatenation of `parts`: 32 bytes. */
export const sha256 = (...parts: readonly Uint8Array[]): Uint8Array => {
  hasher.init();
  for (const part of parts) hasher.update(part);
  return hasher.digest('binary');
};
