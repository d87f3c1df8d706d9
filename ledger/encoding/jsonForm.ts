// The form of a JSON text, without parsing it: parsing costs more, and what comes after it more still.

/** Bounds of a JSON text. */
export interface JsonBounds {
  /** Arrays and objects within each other. */
  readonly depthMax: number;
  /** Arrays, objects and commas. Any number unless given. */
  readonly partsMax?: number;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x5b, 0x5d, 0x7b, 0x7d];

// The place of the quote that ends a string, or the end of the text.
const findEnd = (text: Uint8Array, from: number): number => {
  let at = from;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
};

/** The bound that a JSON text in UTF-8 exceeds first; undefined when it exceeds none. */
export const findExceeded = (
  text: Uint8Array,
  { depthMax, partsMax = Number.POSITIVE_INFINITY }: JsonBounds,
): keyof JsonBounds | undefined => {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === QUOTE) at = findEnd(text, at + 1);
    else if (byte === OPEN_LIST || byte === OPEN_MAP) {
      depth += 1;
      parts += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_MAP) depth -= 1;
    else if (byte === COMMA) parts += 1;
    if (depth > depthMax) return 'depthMax';
    if (parts > partsMax) return 'partsMax';
  }
  return undefined;
};
