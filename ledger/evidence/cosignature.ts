// A witness's statement that it saw a checkpoint at a time, and nothing that contradicts it (c2sp.org/tlog-cosignature,
// cosignature/v1): the time as uint64, then an Ed25519 signature over time and checkpoint.
import { concatBytes, readUint64, writeUint64 } from './bytes.ts';
import { isEd25519Signature } from './ed25519.ts';
import { toUtf8 } from './lines.ts';

const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;

/** The bytes that a witness signs: a time and the text of a checkpoint. */
export const toCosignedMessage = (text: string, timeSeconds: number): Uint8Array =>
  toUtf8(`cosignature/v1\ntime ${timeSeconds}\n${text}`);

/** The bytes of a cosignature, from its time and its 64 bytes of Ed25519. */
export const encodeCosignature = (timeSeconds: number, signature: Uint8Array): Uint8Array => {
  const time = new Uint8Array(TIME_BYTES);
  writeUint64(time, 0, timeSeconds);
  return concatBytes([time, signature]);
};

/**
 * The time in seconds of a key's cosignature of a checkpoint; undefined when it isn't one.
 * @param text the text of the checkpoint's note.
 * @throws UnreadableEvidence for a time beyond 2^53 - 1.
 */
export const readCosignedTime = (publicKey: Uint8Array, text: string, cosignature: Uint8Array): number | undefined => {
  if (cosignature.length !== TIME_BYTES + SIGNATURE_BYTES) return undefined;
  const timeSeconds = readUint64(cosignature, 0);
  const message = toCosignedMessage(text, timeSeconds);
  return isEd25519Signature(publicKey, message, cosignature.subarray(TIME_BYTES)) ? timeSeconds : undefined;
};
