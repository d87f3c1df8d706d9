// Looks at the form of a JSON text before it is parsed. Parsing takes about 1 s and 400 MB for each 2 million empty
// arrays, which need 6 MB as text, so a text is refused that has more parts than answers of nodes have.

/** A text of this length costs little, whatever its form. */
const SMALL_BYTES = 256 * 1_024;
/** Arrays and objects within each other. */
const DEPTH_MAX = 64;
/** The parts that any text may have, and the bytes of each further one: those of nodes have 28 and more. */
const PARTS_FREE = 4_096;
const PART_BYTES = 16;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

const isOpening = (byte: number): boolean => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number): boolean => byte === 0x5d || byte === 0x7d;

// The place of the quote that ends a string, or the end of the text.
const findEnd = (text: Buffer, from: number): number => {
  let at = from;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
};

/** @throws Error when a text of over 256 KiB nests more than 64 levels, or has too many parts for its length. */
export const assertPlainJson = (text: Buffer): void => {
  if (text.length <= SMALL_BYTES) return;
  const partsMax = PARTS_FREE + text.length / PART_BYTES;
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at]!;
    if (byte === QUOTE) at = findEnd(text, at + 1);
    else if (isOpening(byte)) {
      depth += 1;
      parts += 1;
    } else if (isClosing(byte)) depth -= 1;
    else if (byte === COMMA) parts += 1;
    if (depth > DEPTH_MAX) throw new Error(`more than ${DEPTH_MAX} levels`);
    if (parts > partsMax) throw new Error(`more than ${Math.floor(partsMax)} parts in ${text.length} bytes`);
  }
};
