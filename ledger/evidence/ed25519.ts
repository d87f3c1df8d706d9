// Ed25519 signatures. The strict rules of RFC 8032: one encoding of each point and number, and no key of small order.
import { ed25519 } from '@noble/curves/ed25519.js';

const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

// The library makes a table of multiples of the base point for the first signature. A file has few signatures, which
// need less time than the table of its default, 6 bits.
const TABLE_BITS = 4;
ed25519.Point.BASE.precompute(TABLE_BITS);

/** Whether a signature is that of a key over a message. */
export const isEd25519Signature = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  publicKey.length === PUBLIC_KEY_BYTES &&
  signature.length === SIGNATURE_BYTES &&
  ed25519.verify(signature, message, publicKey, { zip215: false });
