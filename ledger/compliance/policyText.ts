// How the texts of a policy name attributes, and which texts nobody can have meant (decision 53).

const PREFIX = 'attributes.';
/** Beginnings of names that were meant for `attributes.`: what follows them is never an attribute of the asset. */
const WRONG_PREFIXES = ['attribute.', 'asset_attributes.', 'event_attributes.'] as const;

/** A condition or an assertion without the prefix `attributes.`, which says nothing. */
export const withoutPrefix = (text: string): string => (text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text);

/** Whether a text begins or ends with a blank: any white space or line end. */
export const hasOuterBlank = (text: string): boolean => text.trim() !== text;

/**
 * Why nobody can have meant a condition or an assertion with these parts; undefined where somebody can.
 * @param text as it was given, with its prefix.
 */
export const findUnintended = (
  text: string,
  { name, value }: { readonly name: string; readonly value: string },
): string | undefined => {
  if ([text, name, value].some(hasOuterBlank)) return 'must have no blanks next to the operator or at either end';
  const wrong = WRONG_PREFIXES.find((prefix) => text.startsWith(prefix));
  if (wrong === undefined) return undefined;
  return `must name an attribute of the asset, with or without ${PREFIX}; one that begins with ${wrong} is ${PREFIX}${wrong}<name>`;
};
