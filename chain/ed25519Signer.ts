// Signs with an Ed25519 key (RFC 8032): block logs, and witnesses of logs.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';

// RFC 8410: a private key as PKCS #8 is these bytes and the 32 of the key.
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY_BYTES = 32;

/** Signs with one key. */
export interface Ed25519Signer {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The 64 bytes of a signature. */
  sign(message: Uint8Array): Uint8Array;
}

/** The signer with a private key of 32 bytes. */
export const createEd25519Signer = (secret: Uint8Array): Ed25519Signer => {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, secret]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-PUBLIC_KEY_BYTES);
  return { publicKey, sign: (message) => sign(undefined, message, key) };
};
