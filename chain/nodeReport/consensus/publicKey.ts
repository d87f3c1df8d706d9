// Public keys as the node report shows them: the 64 bytes x, y of a point on secp256k1. A key that isn't on the curve,
// or a seal without a key, is reported as unknown, never guessed.
import { isPoint, recover } from 'tiny-secp256k1';
import type { RecoverKey } from '../../../ledger/evidence/sealers.ts';

const UNCOMPRESSED = Uint8Array.of(0x04);
const SEAL_BYTES = 65;

/** The key of 64 bytes x, y; undefined when they are no point on the curve. */
export const toPublicKey = (bytes: Uint8Array): Uint8Array | undefined =>
  bytes.length === 64 && isPoint(Buffer.concat([UNCOMPRESSED, bytes])) ? bytes : undefined;

const tryRecover = (digest: Uint8Array, seal: Uint8Array, recoveryId: 0 | 1): Uint8Array | null => {
  try {
    return recover(digest, seal.subarray(0, 64), recoveryId, false);
  } catch {
    // Values outside of any signature. As with a signature that no key made, there is no key to show.
    return null;
  }
};

/**
 * The key that made a seal: the 65 bytes r, s, recovery id (0 or 1) over a digest of 32 bytes. Undefined for what isn't
 * a signature. For another digest than the signed one this returns some other key, so callers must compare the address.
 */
export const recoverPublicKey: RecoverKey = (digest, seal) => {
  const recoveryId = seal[SEAL_BYTES - 1];
  if (seal.length !== SEAL_BYTES || (recoveryId !== 0 && recoveryId !== 1)) return undefined;
  return tryRecover(digest, seal, recoveryId)?.subarray(1);
};
