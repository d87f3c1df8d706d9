// The canonical JSON of an event as far as a reader sees it, without parsing it: it is a text whose characters are the
// bytes of the JSON. Searches in such a text are exact, and it has no character that the bytes don't have.
import { toPrincipal } from '../../../ledger/principal.ts';
import type { Names } from '../../../ledger/sharing/grants.ts';

const NOBODY = JSON.stringify(toPrincipal({}));
const PRINCIPALS = `,"principal_accepted":${NOBODY},"principal_declared":${NOBODY}`;
const FIRST_PRINCIPAL = ',"principal_accepted":';
const AFTER_PRINCIPALS = ',"timestamp_accepted":';
const ATTRIBUTES = '{"asset_attributes":';

const codeOf = (character: string): number => character.charCodeAt(0);
const QUOTE = codeOf('"');
const BACKSLASH = codeOf('\\');
const COMMA = codeOf(',');
const OPENING = new Set(['{', '['].map(codeOf));
const CLOSING = new Set(['}', ']'].map(codeOf));

// The place after the string that begins at `from`.
const findStringEnd = (json: string, from: number): number => {
  let at = from + 1;
  for (let code = json.charCodeAt(at); code !== QUOTE; code = json.charCodeAt(at)) at += code === BACKSLASH ? 2 : 1;
  return at + 1;
};

// The place after the value that begins at `from`, in an object or a list.
const findValueEnd = (json: string, from: number): number => {
  let [at, depth] = [from, 0];
  for (;;) {
    const code = json.charCodeAt(at);
    if (depth === 0 && (code === COMMA || CLOSING.has(code))) return at;
    if (code === QUOTE) at = findStringEnd(json, at) - 1;
    else if (OPENING.has(code)) depth += 1;
    else if (CLOSING.has(code)) depth -= 1;
    at += 1;
  }
};

/** Whether the object that begins at `from` is empty. */
const isEmptyAt = (json: string, from: number): boolean => CLOSING.has(json.charCodeAt(from + 1));

// The object that begins at `from` with those of its members that have these names, and the place after it.
const keepMembers = (json: string, from: number, names: ReadonlySet<string>): { text: string; end: number } => {
  if (isEmptyAt(json, from)) return { text: '{}', end: from + 2 };
  const kept: string[] = [];
  let at = from;
  do {
    const nameEnd = findStringEnd(json, at + 1);
    const end = findValueEnd(json, nameEnd + 1);
    if (names.has(json.slice(at + 1, nameEnd))) kept.push(json.slice(at + 1, end));
    at = end;
  } while (json.charCodeAt(at) === COMMA);
  return { text: `{${kept.join()}}`, end: at + 1 };
};

const jsonNames = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

// The names as canonical JSON has them.
const toJsonNames = (names: ReadonlySet<string>): ReadonlySet<string> => {
  const known =
    jsonNames.get(names) ?? new Set([...names].map((name) => Buffer.from(JSON.stringify(name)).toString('latin1')));
  jsonNames.set(names, known);
  return known;
};

/**
 * The canonical JSON of an event with those attributes of its asset that have these names, and without principals. Both
 * texts have a character for each byte of the JSON.
 */
export const restrictEventJson = (json: string, names: Names): string => {
  // The principals come after all attributes, which may contain the same names; in a string, the quotation marks would
  // be escaped.
  const principalsAt = json.lastIndexOf(FIRST_PRINCIPAL);
  const after = json.slice(json.lastIndexOf(AFTER_PRINCIPALS));
  if (names === 'all') return json.slice(0, principalsAt) + PRINCIPALS + after;
  // The attributes of the asset come first.
  const { text, end } = keepMembers(json, ATTRIBUTES.length, toJsonNames(names));
  return ATTRIBUTES + text + json.slice(end, principalsAt) + PRINCIPALS + after;
};
