// The names of attributes in the texts of a policy, and texts that are evidently mistakes (decision 53).

/** The prefix that the names of attributes may have. */
export const PREFIX = 'attributes.';
/** Prefixes that are mistaken for `attributes.`. */
const WRONG_PREFIXES = ['attribute.', 'asset_attributes.', 'event_attributes.'] as const;

/** A condition or an assertion without the optional prefix `attributes.`. */
export const withoutPrefix = (text: string): string => (text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text);

/** Whether a text begins or ends with white space or a line terminator. */
export const hasOuterBlank = (text: string): boolean => text.trim() !== text;

/**
 * The reason why a condition or an assertion with these parts is evidently a mistake; undefined where it isn't.
 * @param text the text as it was given, with its prefix.
 */
export const findMistake = (
  text: string,
  { name, value }: { readonly name: string; readonly value: string },
): string | undefined => {
  if ([text, name, value].some(hasOuterBlank)) return 'must have no blanks next to the operator or at either end';
  const wrong = WRONG_PREFIXES.find((prefix) => text.startsWith(prefix));
  if (wrong === undefined) return undefined;
  return `must name an attribute of the asset, with or without ${PREFIX}; one that begins with ${wrong} is ${PREFIX}${wrong}<name>`;
};
