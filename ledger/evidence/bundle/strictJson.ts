// JSON of an unknown author, with bounds before anything is built: a text of 16 MiB can describe millions of values.
import { hasRepeatedMember } from '../../encoding/repeatedNames.ts';
import { assertReadable, UnreadableEvidence } from '../unreadableEvidence.ts';

/** UTF-16 units of a text. */
const LENGTH_MAX = 16 * 1024 * 1024;
/** Objects and lists of a text. */
const CONTAINERS_MAX = 100_000;
/** Members and elements of a text. */
const MEMBERS_MAX = 500_000;

const COMMA = 0x2c;
const BRACE = 0x7b;
const BRACKET = 0x5b;

// Counts characters in strings too: no text that the ledger makes comes near the bounds.
const assertBounds = (text: string): void => {
  let containers = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COMMA) members += 1;
    else if (code === BRACE || code === BRACKET) containers += 1;
  }
  assertReadable(containers <= CONTAINERS_MAX, `more than ${CONTAINERS_MAX} objects and lists`);
  assertReadable(members <= MEMBERS_MAX, `more than ${MEMBERS_MAX} members`);
};

/**
 * The value of a JSON text without repeated names.
 * @throws UnreadableEvidence for anything else, and beyond the bounds.
 */
export const parseStrictJson = (text: string): unknown => {
  assertReadable(text.length <= LENGTH_MAX, 'more than 16 MiB');
  assertBounds(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableEvidence('not JSON');
  }
  assertReadable(!hasRepeatedMember(text, value), 'an object names a member twice');
  return value;
};
