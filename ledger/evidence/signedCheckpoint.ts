// A checkpoint as a log publishes it: a note with the log's signature and the cosignatures of witnesses. The caller
// names the keys that count; other signatures prove nothing and are ignored.
import { isSameBytes } from './bytes.ts';
import { type Checkpoint, decodeCheckpoint } from './checkpoint.ts';
import { readCosignedTime } from './cosignature.ts';
import { isEd25519Signature } from './ed25519.ts';
import { toUtf8 } from './lines.ts';
import { decodeSignedNote, type NoteSignature } from './signedNote.ts';
import { SIGNATURE_TYPE, type VerifierKey } from './verifierKey.ts';

/** A witness that signed a checkpoint. */
export interface Cosigner {
  readonly key: VerifierKey;
  /** When it signed, by its own clock. */
  readonly timeSeconds: number;
}

/** A checkpoint, and who of the named keys signed it. */
export interface VerifiedCheckpoint {
  readonly checkpoint: Checkpoint;
  /** Whether a key with the log's name signed it. */
  readonly isLogSigned: boolean;
  /** Each public key once. */
  readonly cosigners: readonly Cosigner[];
}

const isBy =
  (key: VerifierKey) =>
  ({ name, id }: NoteSignature): boolean =>
    name === key.name && id === key.id;

const isSameKey = (a: VerifierKey, b: VerifierKey): boolean => isSameBytes(a.publicKey, b.publicKey);

/**
 * The checkpoint in a note, and who of these keys signed it; undefined when a signature of one of them is wrong. A key
 * signs for the log if it is one for notes and has the checkpoint's origin as its name, and as a witness if it is one
 * for cosignatures.
 * @throws UnreadableEvidence when the note isn't a signed checkpoint, or a cosignature of one of them has a time
 * beyond 2^53 - 1.
 */
export const verifyCheckpoint = (note: string, keys: readonly VerifierKey[]): VerifiedCheckpoint | undefined => {
  const { text, signatures } = decodeSignedNote(note);
  const checkpoint = decodeCheckpoint(text);
  const message = toUtf8(text);
  const cosigners: Cosigner[] = [];
  let isLogSigned = false;
  for (const key of keys) {
    for (const { signature } of signatures.filter(isBy(key))) {
      if (key.type === SIGNATURE_TYPE.note) {
        if (!isEd25519Signature(key.publicKey, message, signature)) return undefined;
        isLogSigned ||= key.name === checkpoint.origin;
      } else {
        const timeSeconds = readCosignedTime(key.publicKey, text, signature);
        if (timeSeconds === undefined) return undefined;
        if (!cosigners.some((other) => isSameKey(other.key, key))) cosigners.push({ key, timeSeconds });
      }
    }
  }
  return { checkpoint, isLogSigned, cosigners };
};
