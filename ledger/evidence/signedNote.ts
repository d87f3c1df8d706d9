// Texts with signatures (c2sp.org/signed-note), not verified: a signature is only a claim.
import { fromBase64, toBase64 } from './base64.ts';
import { concatBytes, toView } from './bytes.ts';
import { toLines } from './lines.ts';
import { assertReadable } from './unreadableEvidence.ts';
import { isKeyName } from './verifierKey.ts';

/** UTF-16 units of a note, enough for 16 signatures of ML-DSA-44 and more. */
const LENGTH_MAX = 128 * 1024;
const SIGNATURES_MAX = 64;
const KEY_ID_BYTES = 4;
const LINE_PREFIX = '\u2014 ';
const CONTROL_MAX = 0x1f;
const NEWLINE = 0x0a;

/** A signature line of a note. */
export interface NoteSignature {
  /** Name and id of the key that is claimed. */
  readonly name: string;
  readonly id: number;
  /** What follows the id of the key: at least one byte. */
  readonly signature: Uint8Array;
}

/** A note that isn't verified. */
export interface SignedNote {
  /** Ends with a newline. */
  readonly text: string;
  /** From 1 to 64. */
  readonly signatures: readonly NoteSignature[];
}

const hasControl = (text: string): boolean => {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= CONTROL_MAX && code !== NEWLINE) return true;
  }
  return false;
};

const decodeLine = (line: string): NoteSignature => {
  assertReadable(line.startsWith(LINE_PREFIX), 'a signature line without a dash');
  const nameEnd = line.indexOf(' ', LINE_PREFIX.length);
  const name = line.slice(LINE_PREFIX.length, nameEnd);
  assertReadable(nameEnd > 0 && isKeyName(name), 'a signature line without a name');
  const bytes = fromBase64(line.slice(nameEnd + 1));
  assertReadable(bytes.length > KEY_ID_BYTES, 'a signature line without a signature');
  return { name, id: toView(bytes).getUint32(0), signature: bytes.subarray(KEY_ID_BYTES) };
};

/**
 * The text and signatures of a note.
 * @throws UnreadableEvidence for anything else, and beyond 128 KiB or 64 signatures.
 */
export const decodeSignedNote = (note: string): SignedNote => {
  assertReadable(note.length <= LENGTH_MAX && note.isWellFormed(), 'not a signed note');
  assertReadable(!hasControl(note), 'a note with a control character');
  const textEnd = note.lastIndexOf('\n\n') + 1;
  assertReadable(textEnd > 0, 'a note without signatures');
  const lines = toLines(note.slice(textEnd + 1), SIGNATURES_MAX);
  return { text: note.slice(0, textEnd), signatures: lines.map(decodeLine) };
};

/** The line of a signature, with the newline at its end. */
export const encodeSignatureLine = ({ name, id, signature }: NoteSignature): string => {
  const bytes = concatBytes([new Uint8Array(KEY_ID_BYTES), signature]);
  toView(bytes).setUint32(0, id);
  return `${LINE_PREFIX}${name} ${toBase64(bytes)}\n`;
};

/** The note with this text and these signatures. */
export const encodeSignedNote = ({ text, signatures }: SignedNote): string =>
  `${text}\n${signatures.map(encodeSignatureLine).join('')}`;
