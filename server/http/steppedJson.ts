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
