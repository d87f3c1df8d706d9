// The signers of digests, as ECDSA recovery finds them.
import { recover } from 'tiny-secp256k1';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { createBoundedCache } from './boundedCache.ts';

const HALF_ORDER = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex');
const SIGNATURES_CACHED = 4_096;

const signers = createBoundedCache<{ address: Hex | undefined }>(SIGNATURES_CACHED);

// tiny-secp256k1 throws for `r` or `s` out of range, or an `r` that is no point's coordinate.
const recoverKey = (digest: Uint8Array, signature: Uint8Array, yParity: 0 | 1): Uint8Array | null => {
  try {
    return recover(digest, signature, yParity, false);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
};

const computeSigner = ({ digest, signature, yParity }: DigestSignature): Hex | undefined => {
  if (Buffer.compare(signature.subarray(32), HALF_ORDER) > 0) return undefined;
  const key = recoverKey(digest, signature, yParity);
  return key === null ? undefined : toHex(keccak256(key.subarray(1)).subarray(12));
};

/** A signature of a 32-byte digest. */
export interface DigestSignature {
  readonly digest: Uint8Array;
  /** The 64 bytes `r || s`. */
  readonly signature: Uint8Array;
  readonly yParity: 0 | 1;
}

const toCacheKey = ({ digest, signature, yParity }: DigestSignature): string =>
  `${toHex(digest)}${toHex(signature)}${yParity}`;

/** Remembers the lower-case address of the account whose key made a signature, with the lower `s`. */
export const rememberSigner = (signed: DigestSignature, address: Hex): void => {
  signers.get(toCacheKey(signed), () => ({ address }));
};

/**
 * Lower-case address of the account that signed a digest. Undefined for a signature of no account, or one with the
 * upper `s`.
 */
export const recoverSigner = (signed: DigestSignature): Hex | undefined =>
  signers.get(toCacheKey(signed), () => ({ address: computeSigner(signed) })).address;
