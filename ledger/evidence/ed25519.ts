// Ed25519 signatures. The strict rules of RFC 8032: one encoding of each point and number, and no key of small order.
import { ed25519 } from '@noble/curves/ed25519.js';

const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** Whether a signature is that of a key over a message. */
export const isEd25519Signature = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  publicKey.length === PUBLIC_KEY_BYTES &&
  signature.length === SIGNATURE_BYTES &&
  ed25519.verify(signature, message, publicKey, { zip215: false });
