// Text of others as it is shown to a person, on a terminal or on a page. A control character moves the cursor or hides
// what follows, a mark of direction reorders it, and what has no width makes two texts look alike: each is shown as an
// escape. verifiers/python/visible.py does the same.

/**
 * Control and format characters (which include the marks of direction), halves of surrogate pairs, separators of lines
 * and paragraphs, and fillers without width. Variation selectors only choose how the character before them is drawn.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu;
const BLANKS = '\t\n\r';
const BASE_HEX = 16;
const UNIT_DIGITS = 4;

const toEscape = (character: string): string => `\\u{${character.codePointAt(0)!.toString(BASE_HEX)}}`;

/** The text on one line, with what isn't seen as escapes such as `\u{202e}`. */
export const toVisibleLine = (text: string): string => text.replace(UNSEEN, toEscape);

/** The text for a page, on which tabs and line ends are blanks; everything else that isn't seen is an escape. */
export const toVisibleText = (text: string): string =>
  text.replace(UNSEEN, (character) => (BLANKS.includes(character) ? character : toEscape(character)));

const toJsonEscape = (character: string): string => {
  if (BLANKS.includes(character)) return character;
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(BASE_HEX).padStart(UNIT_DIGITS, '0')}`)
    .join('');
};

/** The same JSON value in text that is safe to show: what isn't seen can only be in its strings. */
export const toVisibleJson = (json: string): string => json.replace(UNSEEN, toJsonEscape);
