// JSON of an unknown author, with bounds before anything is built: a text of 16 MiB can describe millions of values.
import { hasRepeatedMember } from '../../encoding/repeatedNames.ts';
import { assertReadable, UnreadableEvidence } from '../unreadableEvidence.ts';

/** UTF-16 units of a text. */
const LENGTH_MAX = 16 * 1024 * 1024;
/** Objects and lists of a text. */
const CONTAINERS_MAX = 100_000;
/** Members and elements of a text. */
const MEMBERS_MAX = 500_000;

/** Objects and lists in each other; no file has ten. */
const LEVELS_MAX = 64;

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

const toInner = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

// Level by level, because JSON.parse accepts any depth and the call stack doesn't.
const assertLevels = (root: unknown): void => {
  let level = [root];
  for (let depth = 0; depth < LEVELS_MAX && level.length > 0; depth += 1) level = level.flatMap(toInner);
  assertReadable(level.length === 0, `more than ${LEVELS_MAX} levels of objects and lists`);
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
  assertLevels(value);
  assertReadable(!hasRepeatedMember(text, value), 'an object names a member twice');
  return value;
};
