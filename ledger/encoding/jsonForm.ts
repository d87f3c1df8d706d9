// The form of a JSON text, without parsing it: parsing costs more, and what comes after it more still.
import { finish, type Steps } from '../compliance/steps.ts';

/** Bounds of a JSON text. */
export interface JsonBounds {
  /** Arrays and objects within each other. */
  readonly depthMax: number;
  /** Arrays, objects and commas. Any number unless given. */
  readonly partsMax?: number;
}

/** Bytes that are looked at in one step. */
const STEP_BYTES = 65_536;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x5b, 0x5d, 0x7b, 0x7d];

// The place of the quote that ends a string, or one at or after `to`.
const findQuote = (text: Uint8Array, from: number, to: number): number => {
  let at = from;
  while (at < to && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
};

/**
 * Calls `visit` for each comma with its place, and the number of arrays and objects that are open there, and for each
 * beginning of an array or object, which counts as open. Ends when it returns true.
 */
export function* visitParts(text: Uint8Array, visit: (at: number, depth: number) => boolean): Steps<void> {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; ) {
    const stepEnd = Math.min(at + STEP_BYTES, text.length);
    while (at < stepEnd) {
      if (isString) at = findQuote(text, at, stepEnd);
      const byte = text[at];
      if (isString && byte !== QUOTE) break;
      if (byte === QUOTE) isString = !isString;
      else if (byte === OPEN_LIST || byte === OPEN_MAP) depth += 1;
      else if (byte === CLOSE_LIST || byte === CLOSE_MAP) depth -= 1;
      const isPart = byte === COMMA || byte === OPEN_LIST || byte === OPEN_MAP;
      if (isPart && visit(at, depth)) return;
      at += 1;
    }
    yield;
  }
}

/** As `findExceeded`, in steps. */
export function* findExceededInSteps(
  text: Uint8Array,
  { depthMax, partsMax = Number.POSITIVE_INFINITY }: JsonBounds,
): Steps<keyof JsonBounds | undefined> {
  let parts = 0;
  let exceeded: keyof JsonBounds | undefined;
  yield* visitParts(text, (_, depth) => {
    parts += 1;
    if (depth > depthMax) exceeded = 'depthMax';
    else if (parts > partsMax) exceeded = 'partsMax';
    return exceeded !== undefined;
  });
  return exceeded;
}

/** The bound that a JSON text in UTF-8 exceeds first; undefined when it exceeds none. */
export const findExceeded = (text: Uint8Array, bounds: JsonBounds): keyof JsonBounds | undefined =>
  finish(findExceededInSteps(text, bounds));

/** Whether a decoded value has content: anything but null, empty texts, and lists and maps of nothing else. */
export const hasContent = (value: unknown): boolean => {
  // Iterative, because JSON.parse accepts any depth and the call stack doesn't.
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    const isOpen = typeof next === 'object' && next !== null;
    if (!isOpen && next !== null && next !== undefined && next !== '') return true;
    if (isOpen) for (const inner of Object.values(next)) waiting.push(inner);
  }
  return false;
};
