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

type JsonObject = { readonly [name: string]: JsonValue };

// A loop over the names is several times as fast as one over an array of them.
const hasOrderedMembers = (object: JsonObject): boolean => {
  let previous: string | undefined;
  for (const name in object) {
    if ((previous !== undefined && previous >= name) || !isOrdered(object[name]!)) return false;
    previous = name;
  }
  return true;
};

// Whether the names of all objects are in canonical order. JSON.stringify writes NaN and infinities as null.
const isOrdered = (value: JsonValue): boolean => {
  if (typeof value === 'string') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Array.isArray(value) ? value.every(isOrdered) : hasOrderedMembers(value as JsonObject);
};

/** Names up to this number are sorted in place; Array's own sort allocates more than 1 kB. */
const FEW_NAMES = 32;

const sortNames = (names: string[]): string[] => {
  if (names.length > FEW_NAMES) return names.sort();
  for (let from = 1; from < names.length; from += 1) {
    const name = names[from]!;
    let to = from;
    for (; to > 0 && names[to - 1]! > name; to -= 1) names[to] = names[to - 1]!;
    names[to] = name;
  }
  return names;
};

// An assignment to `__proto__` would set the prototype.
const toOrderedMembers = (object: JsonObject): JsonObject => {
  const ordered: Record<string, JsonValue> = {};
  for (const name of sortNames(Object.keys(object))) {
    if (name === '__proto__') return object;
    ordered[name] = toOrdered(object[name]!);
  }
  return ordered;
};

// The members of an object may stay out of order: JavaScript puts names that are indexes first.
const toOrdered = (value: JsonValue): JsonValue => {
  if (typeof value !== 'object' || value === null || isOrdered(value)) return value;
  return Array.isArray(value) ? value.map(toOrdered) : toOrderedMembers(value as JsonObject);
};

// JSON.stringify writes half of a surrogate pair as an escape that begins like this. In a canonical text it can only be
// a part of `\\ud`.
const SURROGATE_ESCAPE = '\\ud';

/**
 * The RFC 8785 form of a value with ordered members. The RFC specifies strings and numbers as ECMAScript writes them,
 * so where names are in order, `JSON.stringify` writes the canonical form, in a fifth of the time of `canonicalize`.
 */
const stringify = (value: JsonValue): string | undefined => {
  if (!isOrdered(value)) return undefined;
  const text = JSON.stringify(value);
  return text.includes(SURROGATE_ESCAPE) ? undefined : text;
};

/**
 * UTF-8 bytes of the RFC 8785 form of `value`.
 * @throws Error for values that I-JSON (RFC 7493) doesn't have: lone surrogates, NaN and infinities.
 */
export const encodeCanonicalJson = (value: JsonValue): Uint8Array =>
  encoder.encode(stringify(toOrdered(value)) ?? canonicalize(value));

/**
 * Whether `text` is the RFC 8785 form of `value`.
 * @throws Error as `encodeCanonicalJson` does.
 */
export const isCanonicalJson = (value: JsonValue, text: string): boolean =>
  stringify(value) === text || canonicalize(value) === text;

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
