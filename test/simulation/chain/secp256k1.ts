// Stands in for tiny-secp256k1 in the project's code: it signs with it, and remembers the signer of each signature,
// since recovery takes three times as long as signing.
import { type RecoverableSignature, signRecoverable as sign, pointFromScalar as toPoint } from 'tiny-secp256k1';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { createBoundedCache } from './boundedCache.ts';
import { rememberSigner } from './recovery.ts';

// biome-ignore lint/performance/noBarrelFile: it stands in for the package.
export * from 'tiny-secp256k1';

const KEYS_CACHED = 1_024;

const points = createBoundedCache<{ readonly bytes: Uint8Array | null }>(KEYS_CACHED);
const addresses = createBoundedCache<Hex>(KEYS_CACHED);

/** The public key of a private key as tiny-secp256k1 computes it: each start of a server needs the same ones. */
export const pointFromScalar = (privateKey: Uint8Array, isCompressed?: boolean): Uint8Array | null =>
  points.get(`${toHex(privateKey)}${isCompressed}`, () => ({ bytes: toPoint(privateKey, isCompressed) })).bytes;

const toAddress = (privateKey: Uint8Array): Hex =>
  addresses.get(toHex(privateKey), () =>
    toHex(keccak256(pointFromScalar(privateKey, false)!.subarray(1)).subarray(12)),
  );

/** Signs a digest as tiny-secp256k1 does. */
export const signRecoverable = (digest: Uint8Array, privateKey: Uint8Array): RecoverableSignature => {
  const signed = sign(digest, privateKey);
  const { signature, recoveryId } = signed;
  if (recoveryId < 2) rememberSigner({ digest, signature, yParity: recoveryId === 1 ? 1 : 0 }, toAddress(privateKey));
  return signed;
};
