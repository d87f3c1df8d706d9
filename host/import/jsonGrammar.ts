// Follows the grammar of JSON texts that come one after the other (RFC 8259, and RFC 7464 with its separators), byte by
// byte, and keeps nothing of them but the brackets that are open.

/** Called for the parts of a text in their order. Offsets are those of the file: `to` is that after the last byte. */
export interface JsonVisitor {
  /** An object or array begins. */
  readonly open: (isArray: boolean, from: number, line: number) => void;
  /** The innermost one ends. */
  readonly close: (to: number) => void;
  /** The name of a member, in its quotes. */
  readonly name: (from: number, to: number) => void;
  /** A value that is a string, with an empty text, or a number or a literal. */
  readonly scalar: (text: string, line: number) => void;
  /** A whole text has ended. */
  readonly end: () => void;
}

/** A line of a file: its number, from 1, and the offset of its first byte. */
export interface LinePlace {
  readonly number: number;
  readonly from: number;
}

/** The bytes are not those of JSON texts. */
export class NoJson extends Error {
  /** The line on which the text begins. */
  readonly line: LinePlace;
  /** Whether the text is one as far as it goes: the file ends in it. */
  readonly isCutOff: boolean;

  constructor(line: LinePlace, isCutOff: boolean) {
    super('is not JSON');
    this.line = line;
    this.isCutOff = isCutOff;
  }
}

/** Arrays and objects in each other; an item of an API has 7. It bounds how often a byte is read again. */
const DEPTH_MAX = 64;
const [NEWLINE, SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [0x0a, 0x20, 0x22, 0x2c, 0x3a, 0x5c];
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const MARKS: readonly number[] = [QUOTE, COMMA, COLON, ARRAY, ARRAY_END, OBJECT, OBJECT_END];
/** Tab, newline, return and blank. */
const BLANKS: readonly number[] = [0x09, NEWLINE, 0x0d, SPACE];
/** Between texts also the bytes of a byte order mark, and the record separator. */
const BETWEEN_TEXTS: readonly number[] = [...BLANKS, 0xef, 0xbb, 0xbf, 0x1e];
const SCALAR_ENDS: readonly number[] = [...BLANKS, COMMA, ARRAY_END, OBJECT_END];
const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
/** Characters of a number or literal at most. */
const SCALAR_MAX = 1_024;

/** What may come next: `first` and `member` also allow the end of what is empty. */
type Expected = 'text' | 'value' | 'first' | 'member' | 'name' | 'colon' | 'separator';
const VALUES: readonly Expected[] = ['text', 'value', 'first'];
const NAMES: readonly Expected[] = ['member', 'name'];
/** Inside which kind of token the last byte was. */
type Token = 'none' | 'string' | 'escape' | 'scalar';

/** Where a reader is. */
interface Reading {
  readonly visitor: JsonVisitor;
  /** Of each open bracket, whether it is that of an array. */
  readonly open: boolean[];
  expected: Expected;
  token: Token;
  /** Offset at which the token begins. */
  tokenFrom: number;
  /** The characters of a number or literal so far. */
  scalar: string;
  line: LinePlace;
  /** The line on which the text begins. */
  textLine: LinePlace;
}

const fail = ({ expected, token, line, textLine }: Reading, isCutOff = false): never => {
  throw new NoJson(expected === 'text' && token === 'none' ? line : textLine, isCutOff);
};

const begin = (reading: Reading): void => {
  if (reading.expected === 'text') reading.textLine = reading.line;
};

const complete = (reading: Reading): void => {
  const isWhole = reading.open.length === 0;
  reading.expected = isWhole ? 'text' : 'separator';
  if (isWhole) reading.visitor.end();
};

const openOne = (reading: Reading, isArray: boolean, at: number): void => {
  const { open, visitor, line } = reading;
  if (!VALUES.includes(reading.expected) || open.length === DEPTH_MAX) fail(reading);
  begin(reading);
  open.push(isArray);
  reading.expected = isArray ? 'first' : 'member';
  visitor.open(isArray, at, line.number);
};

const closeOne = (reading: Reading, isArray: boolean, at: number): void => {
  const { open, expected, visitor } = reading;
  const isEmpty = expected === (isArray ? 'first' : 'member');
  if (open.at(-1) !== isArray || !(isEmpty || expected === 'separator')) fail(reading);
  open.pop();
  visitor.close(at + 1);
  complete(reading);
};

const endToken = (reading: Reading, to: number): void => {
  const { visitor, tokenFrom, scalar, line } = reading;
  reading.token = 'none';
  reading.scalar = '';
  if (NAMES.includes(reading.expected)) {
    visitor.name(tokenFrom, to);
    reading.expected = 'colon';
    return;
  }
  visitor.scalar(scalar, line.number);
  complete(reading);
};

const beginToken = (reading: Reading, token: Token, at: number): void => {
  const { expected } = reading;
  if (!VALUES.includes(expected) && !(token === 'string' && NAMES.includes(expected))) fail(reading);
  begin(reading);
  reading.token = token;
  reading.tokenFrom = at;
};

const readMark = (reading: Reading, byte: number, at: number): void => {
  const { expected, open } = reading;
  if (byte === QUOTE) beginToken(reading, 'string', at);
  else if (byte === OBJECT || byte === ARRAY) openOne(reading, byte === ARRAY, at);
  else if (byte === OBJECT_END || byte === ARRAY_END) closeOne(reading, byte === ARRAY_END, at);
  else if (byte === COLON && expected === 'colon') reading.expected = 'value';
  else if (byte === COMMA && expected === 'separator') reading.expected = open.at(-1) ? 'value' : 'name';
  else fail(reading);
};

const readBlank = (reading: Reading, byte: number, at: number): boolean => {
  if (!(reading.expected === 'text' ? BETWEEN_TEXTS : BLANKS).includes(byte)) return false;
  if (byte === NEWLINE) reading.line = { number: reading.line.number + 1, from: at + 1 };
  return true;
};

// The index of the byte after a string or a part of one.
const readString = (reading: Reading, bytes: Uint8Array, from: number, offset: number): number => {
  let index = from;
  if (reading.token === 'escape') {
    reading.token = 'string';
    index += 1;
  }
  for (; index < bytes.length; index += 1) {
    const byte = bytes[index]!;
    if (byte === QUOTE) {
      endToken(reading, offset + index + 1);
      return index + 1;
    }
    if (byte < SPACE) fail(reading);
    if (byte !== BACKSLASH) continue;
    index += 1;
    if (index === bytes.length) reading.token = 'escape';
  }
  return bytes.length;
};

const endScalar = (reading: Reading, to: number): void => {
  if (!SCALAR.test(reading.scalar)) fail(reading);
  endToken(reading, to);
};

const readScalar = (reading: Reading, bytes: Uint8Array, from: number, offset: number): number => {
  let index = from;
  while (index < bytes.length && !SCALAR_ENDS.includes(bytes[index]!)) index += 1;
  reading.scalar += String.fromCharCode(...bytes.subarray(from, Math.min(index, from + SCALAR_MAX)));
  if (index - from > SCALAR_MAX || reading.scalar.length > SCALAR_MAX) fail(reading);
  if (index < bytes.length) endScalar(reading, offset + index);
  return index;
};

const readNext = (reading: Reading, bytes: Uint8Array, index: number, offset: number): number => {
  const { token } = reading;
  if (token === 'string' || token === 'escape') return readString(reading, bytes, index, offset);
  if (token === 'scalar') return readScalar(reading, bytes, index, offset);
  const byte = bytes[index]!;
  if (readBlank(reading, byte, offset + index)) return index + 1;
  if (MARKS.includes(byte)) {
    readMark(reading, byte, offset + index);
    return index + 1;
  }
  beginToken(reading, 'scalar', offset + index);
  return readScalar(reading, bytes, index, offset);
};

/** A reader of bytes that begins at a line. */
export const createJsonReader = (visitor: JsonVisitor, firstLine: LinePlace) => {
  const reading: Reading = {
    visitor,
    open: [],
    expected: 'text',
    token: 'none',
    tokenFrom: 0,
    scalar: '',
    line: firstLine,
    textLine: firstLine,
  };
  return {
    /** Reads bytes that begin at this offset of the file. @throws NoJson */
    read: (bytes: Uint8Array, offset: number): void => {
      for (let index = 0; index < bytes.length; ) index = readNext(reading, bytes, index, offset);
    },
    /** The file ends at this offset. @throws NoJson when a text has no end. */
    end: (offset: number): void => {
      if (reading.token === 'scalar') endScalar(reading, offset);
      if (reading.expected !== 'text' || reading.token !== 'none') fail(reading, true);
    },
  };
};
