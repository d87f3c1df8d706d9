// Decodes a JSON text of a source, and names what is wrong with one that is refused.
import { findRepeatedName, hasRepeatedMember } from '../../ledger/encoding/repeatedNames.ts';

/** What a text has: a value, or a reason to refuse it. A text that repeats a name has both. */
export interface SourceText {
  readonly value: unknown;
  readonly refusal?: string;
}

export const NOT_JSON = 'is not JSON, such as a line of CSV; a file has JSON texts, one after the other';

// It removes a byte order mark.
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The value of a JSON text in UTF-8. */
export const parseSourceText = (bytes: Uint8Array): SourceText => {
  try {
    const text = decoder.decode(bytes);
    const value: unknown = JSON.parse(text);
    // JSON.parse uses the last of repeated names, other parsers the first.
    if (!hasRepeatedMember(text, value)) return { value };
    return { value, refusal: `has the name ${JSON.stringify(findRepeatedName(text))} more than once in an object` };
  } catch {
    return { value: undefined, refusal: NOT_JSON };
  }
};
