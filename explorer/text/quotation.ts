// Text of others within a sentence of a page.
import { toVisibleLine } from '../../ledger/encoding/visible.ts';

const LENGTH_MAX = 400;

/** The text on one line, of at most 400 characters, with what isn't seen as `\u{202e}`. */
export const toQuotation = (text: string): string => {
  const start = [...text.slice(0, 2 * LENGTH_MAX)].slice(0, LENGTH_MAX).join('');
  return toVisibleLine(`${start}${start.length < text.length ? ' …' : ''}`);
};
