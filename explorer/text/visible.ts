// Text of others within a sentence of a page.

/** Characters that are not seen, and may change how what follows is read: control, format and direction. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const LENGTH_MAX = 400;

const toEscape = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/** The text on one line, of at most 400 characters, with what isn't seen as `\u{202e}`. */
export const toVisible = (text: string): string => {
  const start = [...text.slice(0, 2 * LENGTH_MAX)].slice(0, LENGTH_MAX).join('');
  return `${start}${start.length < text.length ? ' …' : ''}`.replace(UNSEEN, toEscape);
};
