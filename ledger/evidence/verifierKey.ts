// Public keys of logs and witnesses as texts (c2sp.org/signed-note, "vkey"): name, key id, and the type of signature
// with the key.
import { fromBase64, toBase64 } from './base64.ts';
import { concatBytes, toView } from './bytes.ts';
import { toUtf8 } from './lines.ts';
import { sha256 } from './sha256.ts';
import { assertReadable } from './unreadableEvidence.ts';

const PUBLIC_KEY_BYTES = 32;
const TEXT_LENGTH_MAX = 1024;
const NAME = /^[^\p{White_Space}+]+$/u;
const TEXT = /^([^+]+)\+[0-9a-f]{8}\+([A-Za-z0-9+/=]+)$/;
const NEWLINE = Uint8Array.of(0x0a);

/** Types of signature: over the text of a note, and over a checkpoint with a time (c2sp.org/tlog-cosignature). */
export const SIGNATURE_TYPE = { note: 0x01, cosignature: 0x04 } as const;

/** A type of signature. */
export type SignatureType = (typeof SIGNATURE_TYPE)[keyof typeof SIGNATURE_TYPE];

/** A public key of a log or witness. */
export interface VerifierKey {
  readonly name: string;
  /** Four bytes as an integer. Name and id together identify key and type. */
  readonly id: number;
  readonly type: SignatureType;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

const isSignatureType = (type: number | undefined): type is SignatureType =>
  type === SIGNATURE_TYPE.note || type === SIGNATURE_TYPE.cosignature;

/** Whether this may be the name of a key: not empty, without blanks and `+`. */
export const isKeyName = (name: string): boolean => name.isWellFormed() && NAME.test(name);

/**
 * The key with this name, type and public key.
 * @throws UnreadableEvidence for a name that none may have, or another length than 32 bytes.
 */
export const toVerifierKey = (name: string, type: SignatureType, publicKey: Uint8Array): VerifierKey => {
  assertReadable(isKeyName(name), 'not a name of a key');
  assertReadable(publicKey.length === PUBLIC_KEY_BYTES, 'a public key without 32 bytes');
  const hash = sha256(toUtf8(name), NEWLINE, Uint8Array.of(type), publicKey);
  return { name, id: toView(hash).getUint32(0), type, publicKey };
};

/** The text of a key. */
export const encodeVerifierKey = ({ name, id, type, publicKey }: VerifierKey): string => {
  const key = toBase64(concatBytes([Uint8Array.of(type), publicKey]));
  return `${name}+${id.toString(16).padStart(8, '0')}+${key}`;
};

/**
 * The key that a text states.
 * @throws UnreadableEvidence for anything else, for another type of signature, and for an id that isn't the key's.
 */
export const decodeVerifierKey = (text: string): VerifierKey => {
  const [, name, encoded] = (text.length <= TEXT_LENGTH_MAX && TEXT.exec(text)) || [];
  assertReadable(name !== undefined && encoded !== undefined, 'not a verifier key');
  const bytes = fromBase64(encoded);
  const type = bytes[0];
  assertReadable(isSignatureType(type), 'a verifier key of an unknown type');
  const decoded = toVerifierKey(name, type, bytes.subarray(1));
  assertReadable(encodeVerifierKey(decoded) === text, "a verifier key whose id isn't its own");
  return decoded;
};
