// A secp256k1 key that signs 32-byte digests, and its Ethereum address. libsecp256k1 as WebAssembly signs in 0.1 ms,
// plain JavaScript in 0.5 ms, and each batch of records needs one or two.
import { randomBytes } from 'node:crypto';
import { isPrivate, pointFromScalar, signRecoverable } from 'tiny-secp256k1';
import { type Hex, toHex } from '../ledger/encoding/hex.ts';
import { keccak256 } from '../ledger/encoding/keccak.ts';

/** A recoverable ECDSA signature. */
export interface Signature {
  /** 32 bytes. */
  readonly r: Uint8Array;
  /** 32 bytes, in the lower half of the curve's order. */
  readonly s: Uint8Array;
  readonly yParity: 0 | 1;
}

/** A private key that can only sign. */
export interface Wallet {
  /** Lower-case address. */
  readonly address: Hex;
  /** The address's 20 bytes. */
  readonly addressBytes: Uint8Array;
  /** Coordinates x and y of the public key, 64 bytes. */
  readonly publicKey: Uint8Array;
  /** Signs a 32-byte digest without hashing it again. */
  sign(digest: Uint8Array): Signature;
}

/**
 * The wallet of a 32-byte private key. The key stays in the closure.
 * @throws TypeError when the bytes are not a private key.
 */
export const createWallet = (privateKey: Uint8Array): Wallet => {
  const publicKey = isPrivate(privateKey) ? pointFromScalar(privateKey, false) : null;
  if (publicKey === null) throw new TypeError('not a secp256k1 private key');
  const addressBytes = keccak256(publicKey.subarray(1)).subarray(12);
  return {
    address: toHex(addressBytes),
    addressBytes,
    publicKey: publicKey.subarray(1),
    sign: (digest) => {
      const { signature, recoveryId } = signRecoverable(digest, privateKey);
      return { r: signature.subarray(0, 32), s: signature.subarray(32), yParity: recoveryId === 1 ? 1 : 0 };
    },
  };
};

/** A new 32-byte private key. */
export const createPrivateKey = (): Uint8Array => {
  const bytes = randomBytes(32);
  return isPrivate(bytes) ? bytes : createPrivateKey();
};

/** The 65 bytes `r || s || v` that contracts expect. */
export const toSignatureBytes = ({ r, s, yParity }: Signature): Uint8Array =>
  Buffer.concat([r, s, Uint8Array.of(27 + yParity)]);
