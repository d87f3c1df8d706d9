// Encodes a large body as JSON in steps, so that other requests are served in between.
import type { Steps } from '../../ledger/compliance/steps.ts';

const encode = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? 'null');

function* encodeList(items: readonly unknown[]): Steps<Buffer> {
  const parts: Buffer[] = [];
  for (const [index, item] of items.entries()) {
    parts.push(Buffer.from(index === 0 ? '[' : ','), encode(item));
    yield;
  }
  return Buffer.concat([...parts, Buffer.from(items.length === 0 ? '[]' : ']')]);
}

const PART_CHARACTERS = 2 ** 17;
const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** The bytes of a long text in UTF-8, in parts. Each is one step. */
export function* encodeTextInSteps(text: string): Steps<Buffer[]> {
  const parts: Buffer[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + PART_CHARACTERS;
    // A pair is one character.
    const to = isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
    parts.push(Buffer.from(text.slice(at, to)));
    at = to;
    yield;
  }
  return parts;
}

/** Returns the bytes of `JSON.stringify(body)`. Each item of a list that is a field of the body is one step. */
export function* encodeJsonInSteps(body: object): Steps<Buffer> {
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    parts.push(Buffer.from(`${parts.length === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    parts.push(Array.isArray(value) ? yield* encodeList(value) : encode(value));
  }
  return Buffer.concat([...parts, Buffer.from(parts.length === 0 ? '{}' : '}')]);
}
