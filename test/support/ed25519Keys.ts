// Private keys of the vectors of C2SP.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The Ed25519 private key of 32 bytes `n`. */
export const privateKey = (n: number): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, Buffer.alloc(32, n)]), format: 'der', type: 'pkcs8' });

/** The 32 bytes of its public key. */
export const publicKeyOf = (n: number): Uint8Array =>
  new Uint8Array(createPublicKey(privateKey(n)).export({ format: 'der', type: 'spki' })).slice(-32);
