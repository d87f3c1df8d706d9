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

/**
 * The value that canonical bytes say; undefined when the bytes are not exactly the canonical form of some JSON value.
 * Bytes come from anybody who can write to the chain, so whatever the decoders make of them is an answer, not an error.
 */
export const decodeCanonicalJson = (bytes: Uint8Array): JsonValue | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value = JSON.parse(text) as JsonValue;
    return canonicalize(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
};
