// The hash functions of the verifier in a browser, in place of those of the package hash-wasm: the content security
// policy of the pages allows no WebAssembly. The build replaces that package by this file.
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

interface Hasher {
  init(): void;
  update(part: Uint8Array): void;
  digest(form: 'binary'): Uint8Array;
}

const createHasher = (create: () => { update(part: Uint8Array): unknown; digest(): Uint8Array }): Hasher => {
  let hash = create();
  return {
    init: () => {
      hash = create();
    },
    update: (part) => {
      hash.update(part);
    },
    digest: () => hash.digest(),
  };
};

/** Keccak-256. */
export const createKeccak = (): Hasher => createHasher(() => keccak_256.create());

/** SHA-256. */
export const createSHA256 = (): Hasher => createHasher(() => sha256.create());
