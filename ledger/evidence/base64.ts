// Bytes as texts: standard base64 with padding (RFC 4648, section 4), without Node's Buffer.
import { UnreadableEvidence } from './unreadableEvidence.ts';

const CHUNK_BYTES = 8192;

/** The base64 text of these bytes. */
export const toBase64 = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  }
  return btoa(text);
};

const tryDecode = (text: string): string | undefined => {
  try {
    return atob(text);
  } catch {
    // It throws for other characters.
    return undefined;
  }
};

/**
 * The bytes of a base64 text.
 * @throws UnreadableEvidence for anything but the only text of these bytes.
 */
export const fromBase64 = (text: string): Uint8Array => {
  const decoded = tryDecode(text);
  // The decoder accepts blanks, missing padding and unused bits.
  if (decoded === undefined || btoa(decoded) !== text) throw new UnreadableEvidence('not base64');
  const bytes = new Uint8Array(decoded.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = decoded.charCodeAt(at);
  return bytes;
};
