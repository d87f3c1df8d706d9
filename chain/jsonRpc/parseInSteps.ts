// Parses large JSON texts in steps: JSON.parse of a whole answer would stop all else for seconds, and so would taking
// over what a thread has parsed, since copying objects between threads takes as long as parsing them.
import type { Steps } from '../../ledger/compliance/steps.ts';
import { visitParts } from '../../ledger/encoding/jsonForm.ts';

/** Bytes that are parsed in one step. */
const PIECE_BYTES = 16_384;
/** Members of an object that is longer than a piece: those of nodes have some 30. */
const MEMBERS_MAX = 1_024;
/** Containers within each other that are longer than a piece: those of nodes have 6. */
const DEPTH_MAX = 12;

const [QUOTE, COLON, BACKSLASH, UNICODE] = [0x22, 0x3a, 0x5c, 0x75];
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x5b, 0x5d, 0x7b, 0x7d];

// A mark of the byte order within a text is no JSON, so it stays.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const parsePiece = (text: Uint8Array, [open, close] = ['', '']): unknown =>
  JSON.parse(`${open}${decoder.decode(text)}${close}`);

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

function* trim(text: Uint8Array): Steps<Uint8Array> {
  let [from, to] = [0, text.length];
  for (; from < to && isBlank(text[from]); from += 1) if (from % PIECE_BYTES === PIECE_BYTES - 1) yield;
  for (; to > from && isBlank(text[to - 1]); to -= 1) if (to % PIECE_BYTES === 0) yield;
  return text.subarray(from, to);
}

/** The members of a container in groups, each of which has at most a piece's bytes or is one member. */
function* split(members: Uint8Array): Steps<Uint8Array[]> {
  const groups: Uint8Array[] = [];
  let [from, comma] = [0, -1];
  const cut = (at: number): void => {
    groups.push(members.subarray(from, at));
    from = at + 1;
  };
  const end = (at: number): void => {
    if (at - from > PIECE_BYTES && comma > from) cut(comma);
    if (at - from > PIECE_BYTES) cut(at);
    comma = at;
  };
  yield* visitParts(members, (at, depth) => {
    if (depth === 0) end(at);
    return false;
  });
  end(members.length);
  if (from <= members.length) cut(members.length);
  return groups;
}

function* parseList(text: Uint8Array, depth: number): Steps<unknown[]> {
  const list: unknown[] = [];
  const groups = yield* split(yield* trim(text.subarray(1, -1)));
  for (const group of groups) {
    const isLong = group.length > PIECE_BYTES;
    const items = isLong ? [yield* parseValue(group, depth)] : (parsePiece(group, ['[', ']']) as unknown[]);
    if (items.length === 0 && groups.length > 1) throw new SyntaxError('a list without an item after a comma');
    for (const item of items) list.push(item);
    yield;
  }
  return list;
}

// Bytes of a character of a string, or of its first part; an escape is one.
const measure = (text: Uint8Array, at: number): number => {
  if (text[at] !== BACKSLASH) return 1;
  return text[at + 1] === UNICODE ? 6 : 2;
};

const isContinued = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function* parseString(text: Uint8Array): Steps<string> {
  const end = text.length - 1;
  let value = '';
  for (let from = 1; from < end; ) {
    let to = from;
    while (to < end && to - from < PIECE_BYTES) to += measure(text, to);
    while (isContinued(text[to])) to += 1;
    value += parsePiece(text.subarray(from, Math.min(to, end)), ['"', '"']);
    from = to;
    yield;
  }
  return value;
}

// The place after the name of a member; 0 if it has none.
function* findNameEnd(member: Uint8Array): Steps<number> {
  if (member[0] !== QUOTE) return 0;
  let stepEnd = PIECE_BYTES;
  for (let at = 1; at < member.length; at += measure(member, at)) {
    if (member[at] === QUOTE) return at + 1;
    if (at < stepEnd) continue;
    stepEnd = at + PIECE_BYTES;
    yield;
  }
  return 0;
}

function* parseMember(text: Uint8Array, depth: number): Steps<Record<string, unknown>> {
  const member = yield* trim(text);
  const nameEnd = yield* findNameEnd(member);
  const rest = yield* trim(member.subarray(nameEnd));
  if (nameEnd === 0 || rest[0] !== COLON) throw new SyntaxError('a member without a name');
  const name = yield* parseString(member.subarray(0, nameEnd));
  return Object.fromEntries([[name, yield* parseValue(rest.subarray(1), depth)]]);
}

function* parseObject(text: Uint8Array, depth: number): Steps<Record<string, unknown>> {
  const entries: [string, unknown][] = [];
  const groups = yield* split(yield* trim(text.subarray(1, -1)));
  for (const group of groups) {
    const isLong = group.length > PIECE_BYTES;
    const members = (isLong ? yield* parseMember(group, depth) : parsePiece(group, ['{', '}'])) as object;
    const found = Object.entries(members);
    if (found.length === 0 && groups.length > 1) throw new SyntaxError('an object without a member after a comma');
    entries.push(...found);
    if (entries.length > MEMBERS_MAX) throw new Error(`an object with more than ${MEMBERS_MAX} members`);
    yield;
  }
  return Object.fromEntries(entries);
}

function* parseValue(untrimmed: Uint8Array, depth: number): Steps<unknown> {
  const text = yield* trim(untrimmed);
  const [open, close] = [text[0], text.at(-1)];
  if (text.length <= PIECE_BYTES) return parsePiece(text);
  if (depth === DEPTH_MAX) throw new Error(`more than ${DEPTH_MAX} large parts within each other`);
  if (open === OPEN_LIST && close === CLOSE_LIST) return yield* parseList(text, depth + 1);
  if (open === OPEN_MAP && close === CLOSE_MAP) return yield* parseObject(text, depth + 1);
  if (open === QUOTE && close === QUOTE) return yield* parseString(text);
  throw new SyntaxError('a long text that is no list, object or string');
}

/**
 * The value of a JSON text in UTF-8, as JSON.parse returns it.
 * @throws Error when it is not JSON, or large objects have too many members or levels.
 */
export const parseInSteps = (text: Uint8Array): Steps<unknown> => parseValue(text, 0);
