// The way to a form, or why there is none.
import { findMissingRight, type NeededRight } from '../state/rights.ts';

/** A link to a form, as far as the token of the session has the right that it needs. */
export const FormLink = ({ href, text, right }: { href: string; text: string; right: NeededRight }) => {
  const missing = findMissingRight(right);
  return missing === undefined ? (
    <a class="button" href={href}>
      {text}
    </a>
  ) : (
    <span class="hint">{missing}</span>
  );
};
