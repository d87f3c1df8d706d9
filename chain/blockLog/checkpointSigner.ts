// Signs the checkpoints of a log with its Ed25519 key, in two lines: the log's signature, and a cosignature/v1 by the
// same key, which has the time. A checkpoint's text has no time, so that only the second line changes when an idle log
// signs its checkpoint again.
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { encodeCheckpoint } from '../../ledger/evidence/checkpoint.ts';
import { encodeCosignature, toCosignedMessage } from '../../ledger/evidence/cosignature.ts';
import { toUtf8 } from '../../ledger/evidence/lines.ts';
import type { TreeHead } from '../../ledger/evidence/merkleProof.ts';
import { encodeSignedNote } from '../../ledger/evidence/signedNote.ts';
import { SIGNATURE_TYPE, toVerifierKey, type VerifierKey } from '../../ledger/evidence/verifierKey.ts';

// RFC 8410: a private key as PKCS #8 is these bytes and the 32 of the key.
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY_BYTES = 32;

/** Signs for one log. */
export interface CheckpointSigner {
  /** The log's name, which is the name of both keys. */
  readonly origin: string;
  /** Verifies that the log signed a checkpoint. */
  readonly logKey: VerifierKey;
  /** Verifies when it signed it, by its own clock. */
  readonly timeKey: VerifierKey;
  /** The signed note of a checkpoint. */
  sign(head: TreeHead, timeSeconds: number): string;
}

const toPublicKey = (key: KeyObject): Uint8Array =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-PUBLIC_KEY_BYTES);

/**
 * The signer of a log.
 * @param secret the 32 bytes of its Ed25519 private key.
 * @throws UnreadableEvidence when the origin can't be the name of a key.
 */
export const createCheckpointSigner = (origin: string, secret: Uint8Array): CheckpointSigner => {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, secret]), format: 'der', type: 'pkcs8' });
  const publicKey = toPublicKey(key);
  const logKey = toVerifierKey(origin, SIGNATURE_TYPE.note, publicKey);
  const timeKey = toVerifierKey(origin, SIGNATURE_TYPE.cosignature, publicKey);
  return {
    origin,
    logKey,
    timeKey,
    sign: (head, timeSeconds) => {
      const text = encodeCheckpoint({ ...head, origin, extensions: [] });
      const cosigned = sign(undefined, toCosignedMessage(text, timeSeconds), key);
      const signatures = [
        { ...logKey, signature: sign(undefined, toUtf8(text), key) },
        { ...timeKey, signature: encodeCosignature(timeSeconds, cosigned) },
      ];
      return encodeSignedNote({ text, signatures });
    },
  };
};
