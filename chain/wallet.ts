// A secp256k1 key that signs 32-byte digests, and its Ethereum address.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type Hex, toHex } from '../ledger/hex.ts';
import { keccak256 } from '../ledger/keccak.ts';

export interface Signature {
  /** 32 bytes. */
  readonly r: Uint8Array;
  /** 32 bytes, in the lower half of the curve's order. */
  readonly s: Uint8Array;
  readonly yParity: 0 | 1;
}

export interface Wallet {
  /** Lower-case address. */
  readonly address: Hex;
  /** The address's 20 bytes. */
  readonly addressBytes: Uint8Array;
  /** Signs a 32-byte digest as it is. */
  sign(digest: Uint8Array): Signature;
}

/** Wallet of a 32-byte private key. The key stays in the closure. */
export const createWallet = (privateKey: Uint8Array): Wallet => {
  const publicKey = secp256k1.getPublicKey(privateKey, false);
  const addressBytes = keccak256(publicKey.subarray(1)).subarray(12);
  return {
    address: toHex(addressBytes),
    addressBytes,
    sign: (digest) => {
      const signature = secp256k1.sign(digest, privateKey, { prehash: false, format: 'recovered' });
      return { r: signature.subarray(1, 33), s: signature.subarray(33), yParity: signature[0] === 1 ? 1 : 0 };
    },
  };
};

/** A new 32-byte private key. */
export const createPrivateKey = (): Uint8Array => secp256k1.utils.randomSecretKey();

/** The 65 bytes `r || s || v` that contracts expect. */
export const toSignatureBytes = ({ r, s, yParity }: Signature): Uint8Array =>
  Buffer.concat([r, s, Uint8Array.of(27 + yParity)]);
