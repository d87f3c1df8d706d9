// Canonical JSON (RFC 8785): exactly one byte string for each JSON value, so that its hash identifies the value.
import canonicalize from 'canonicalize';

/** A JSON value, as `JSON.parse` returns it. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * UTF-8 bytes of the RFC 8785 form of `value`.
 * @throws Error for values that I-JSON (RFC 7493) doesn't have: lone surrogates, NaN and infinities.
 */
export const encodeCanonicalJson = (value: JsonValue): Uint8Array => encoder.encode(canonicalize(value));

// A loop over the names is several times as fast as one over an array of them.
const hasPlainMembers = (object: { readonly [name: string]: JsonValue }): boolean => {
  let previous: string | undefined;
  for (const name in object) {
    if (previous !== undefined && previous >= name) return false;
    if (!name.isWellFormed() || !isPlainlyCanonical(object[name]!)) return false;
    previous = name;
  }
  return true;
};

const isPlainlyCanonical = (value: JsonValue): boolean => {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isPlainlyCanonical);
  return hasPlainMembers(value as { readonly [name: string]: JsonValue });
};

/**
 * Whether `text` is the RFC 8785 form of `value`. The RFC specifies strings and numbers as ECMAScript writes them, so
 * where names are in order, `JSON.stringify` writes the canonical form. Checking that takes a fifth of the time of
 * `canonicalize`.
 * @throws Error as `encodeCanonicalJson` does.
 */
export const isCanonicalJson = (value: JsonValue, text: string): boolean =>
  (JSON.stringify(value) === text && isPlainlyCanonical(value)) || canonicalize(value) === text;

/**
 * The value of canonical bytes; undefined when the bytes are not exactly the canonical form of a JSON value. Any writer
 * can put any bytes on the chain, so a decoder's exception is an answer here, not an error.
 */
export const decodeCanonicalJson = (bytes: Uint8Array): JsonValue | undefined => {
  try {
    const text = decoder.decode(bytes);
    const value = JSON.parse(text) as JsonValue;
    return isCanonicalJson(value, text) ? value : undefined;
  } catch {
    return undefined;
  }
};
