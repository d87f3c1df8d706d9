// Signs the checkpoints of a log with its Ed25519 key, in two lines: the log's signature, and a cosignature/v1 by the
// same key, which has the time. A checkpoint's text has no time, so that only the second line changes when an idle log
// signs its checkpoint again.
import { encodeCheckpoint } from '../../ledger/evidence/checkpoint.ts';
import { encodeCosignature, toCosignedMessage } from '../../ledger/evidence/cosignature.ts';
import { toUtf8 } from '../../ledger/evidence/lines.ts';
import type { TreeHead } from '../../ledger/evidence/merkleProof.ts';
import { encodeSignedNote } from '../../ledger/evidence/signedNote.ts';
import { SIGNATURE_TYPE, toVerifierKey, type VerifierKey } from '../../ledger/evidence/verifierKey.ts';
import { createEd25519Signer } from '../ed25519Signer.ts';

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

/**
 * The signer of a log.
 * @param secret the 32 bytes of its Ed25519 private key.
 * @throws UnreadableEvidence when the origin can't be the name of a key.
 */
export const createCheckpointSigner = (origin: string, secret: Uint8Array): CheckpointSigner => {
  const { publicKey, sign } = createEd25519Signer(secret);
  const logKey = toVerifierKey(origin, SIGNATURE_TYPE.note, publicKey);
  const timeKey = toVerifierKey(origin, SIGNATURE_TYPE.cosignature, publicKey);
  return {
    origin,
    logKey,
    timeKey,
    sign: (head, timeSeconds) => {
      const text = encodeCheckpoint({ ...head, origin, extensions: [] });
      const cosigned = sign(toCosignedMessage(text, timeSeconds));
      const signatures = [
        { ...logKey, signature: sign(toUtf8(text)) },
        { ...timeKey, signature: encodeCosignature(timeSeconds, cosigned) },
      ];
      return encodeSignedNote({ text, signatures });
    },
  };
};
