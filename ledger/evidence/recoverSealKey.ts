// Recovers keys in plain JavaScript, which a browser runs. A server recovers them six times as fast with WebAssembly
// (chain/nodeReport/consensus/publicKey.ts).
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { RecoverKey } from './sealers.ts';

const SEAL_BYTES = 65;
const DIGEST_BYTES = 32;

const tryRecover = (signature: Uint8Array, digest: Uint8Array): Uint8Array | undefined => {
  try {
    const key = secp256k1.recoverPublicKey(signature, digest, { prehash: false });
    return secp256k1.Point.fromBytes(key).toBytes(false).subarray(1);
  } catch {
    // The library throws for values outside of any signature.
    return undefined;
  }
};

/**
 * The key that made a seal: the 65 bytes r, s, recovery id (0 or 1) over a digest of 32 bytes. Undefined for what isn't
 * a signature. For another digest than the signed one this returns some other key, so callers must compare the address.
 */
export const recoverSealKey: RecoverKey = (digest, seal) => {
  const recoveryId = seal[SEAL_BYTES - 1]!;
  const isShape = seal.length === SEAL_BYTES && digest.length === DIGEST_BYTES && recoveryId <= 1;
  return isShape ? tryRecover(Uint8Array.of(recoveryId, ...seal.subarray(0, -1)), digest) : undefined;
};
