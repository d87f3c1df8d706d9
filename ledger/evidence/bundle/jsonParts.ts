// Reads the parts of a JSON value that came from somebody else: every name is known, every value has its form.
import { fromHex } from '../../encoding/hex.ts';
import { isJsonObject } from '../../records/attributes.ts';
import { fromBase64 } from '../base64.ts';
import { assertReadable, UnreadableEvidence } from '../unreadableEvidence.ts';

/** An object of JSON whose members are unknown. */
export type JsonObject = Readonly<Record<string, unknown>>;

const HEX = /^0x(?:[0-9a-f]{2})*$/;

/**
 * An object with all of the `required` names, any of the `optional` ones, and no others.
 * @throws UnreadableEvidence that names `where`.
 */
export const readObject = (
  value: unknown,
  where: string,
  required: readonly string[],
  optional: readonly string[] = [],
): JsonObject => {
  assertReadable(isJsonObject(value), `${where} is not an object`);
  for (const name of required) assertReadable(Object.hasOwn(value, name), `${where} lacks ${name}`);
  for (const name of Object.keys(value)) {
    assertReadable(required.includes(name) || optional.includes(name), `${where} has the unknown member ${name}`);
  }
  return value;
};

/** @throws UnreadableEvidence unless it is a list of at most `max` values. */
export const readList = (value: unknown, where: string, max: number): readonly unknown[] => {
  assertReadable(Array.isArray(value), `${where} is not a list`);
  assertReadable(value.length <= max, `${where} has more than ${max} values`);
  return value;
};

/** @throws UnreadableEvidence unless it is a text. */
export const readString = (value: unknown, where: string): string => {
  assertReadable(typeof value === 'string', `${where} is not a text`);
  return value;
};

/** @throws UnreadableEvidence unless it is an integer from `min` to 2^53 - 1. */
export const readInteger = (value: unknown, where: string, min = 0): number => {
  assertReadable(Number.isSafeInteger(value) && Number(value) >= min, `${where} is not an integer from ${min} on`);
  return Number(value);
};

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of UTF-8 bytes. @throws UnreadableEvidence. */
export const readUtf8 = (bytes: Uint8Array, where: string): string => {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new UnreadableEvidence(`${where} is not UTF-8`);
  }
};

/** The bytes of a base64 text. @throws UnreadableEvidence. */
export const readBase64 = (value: unknown, where: string): Uint8Array => fromBase64(readString(value, where));

/** The `length` bytes of a lower-case hexadecimal text with 0x. @throws UnreadableEvidence. */
export const readHex = (value: unknown, where: string, length: number): Uint8Array => {
  const text = readString(value, where);
  const isHex = text.length === 2 + 2 * length && HEX.test(text);
  assertReadable(isHex, `${where} is not 0x and ${length} bytes in lower-case hexadecimal`);
  return fromHex(text);
};
