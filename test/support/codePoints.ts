// A fast-check generator of every character. fast-check's own builds a table of them all, which takes a second.
import fc from 'fast-check';

const SURROGATE_MIN = 0xd800;
const SURROGATES = 0x800;

const toCharacter = (index: number): string => String.fromCodePoint(index < SURROGATE_MIN ? index : index + SURROGATES);

// What lets fast-check put texts of its own, such as `__proto__`, among those of these characters.
const toIndex = (character: unknown): number => {
  const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (point === undefined || String.fromCodePoint(point) !== character) throw new Error('not one character');
  return point < SURROGATE_MIN ? point : point - SURROGATES;
};

/** Texts of one code point, any but half of a surrogate pair: a `unit` for `fc.string`. */
export const codePoints: fc.Arbitrary<string> = fc.nat(0x10ffff - SURROGATES).map(toCharacter, toIndex);
