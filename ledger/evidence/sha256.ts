// SHA-256, the hash of Merkle trees and of key ids.
import { createSHA256 } from 'hash-wasm';

const hasher = await createSHA256();

/** SHA-256 of the concatenation of `parts`: 32 bytes. */
export const sha256 = (...parts: readonly Uint8Array[]): Uint8Array => {
  hasher.init();
  for (const part of parts) hasher.update(part);
  return hasher.digest('binary');
};

/** Hashes bytes that come in parts. */
export interface Sha256 {
  update(part: Uint8Array): void;
  /** SHA-256 of all parts: 32 bytes. */
  digest(): Uint8Array;
}

/** A hash of its own, for parts that don't come all at once. */
export const createSha256 = async (): Promise<Sha256> => {
  const own = await createSHA256();
  own.init();
  return { update: (part) => void own.update(part), digest: () => own.digest('binary') };
};
