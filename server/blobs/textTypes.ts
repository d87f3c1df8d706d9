// What kind of text a file's beginning is (decision 56). The answer follows from the first bytes alone, so the same file always has
// the same type, however large it is.
import { isJsonPrefix } from './jsonPrefix.ts';

/** Bytes of a file that its type is judged by. */
export const PREFIX_BYTES = 65_536;

/** The beginning of a file. */
export interface Prefix {
  readonly bytes: Uint8Array;
  /** Whether it is the whole file. */
  readonly isWhole: boolean;
}

const encodingOf = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
};

const CONTROLS_MAX = 0x20;
const WRITTEN: readonly number[] = [...'\t\n\f\r\u001b'].map((character) => character.charCodeAt(0));

// The characters that the WHATWG's MIME Sniffing Standard calls binary.
const hasBinary = (text: string): boolean => {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < CONTROLS_MAX && !WRITTEN.includes(code)) return true;
  }
  return false;
};

/** The text of a file's beginning, without byte order mark: UTF-8, or UTF-16 with the mark. Undefined where it isn't text. */
export const decodeText = ({ bytes, isWhole }: Prefix): string | undefined => {
  try {
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes, { stream: !isWhole });
    return hasBinary(text) ? undefined : text;
  } catch (error) {
    // What the decoder says of bytes that are no text.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
};

const MARKUP = /^<(?:!doctype\s+)?(?:[\w.-]+:)?([a-z][\w.-]*)(?=[\s>/[]|$)/i;
const TAGS = 'a b body br div font h1 head html iframe p script style table title'.split(' ');

// Comments and processing instructions may come before the first tag.
const skipProlog = (text: string): string => {
  let rest = text.trimStart();
  for (;;) {
    const end = rest.startsWith('<!--') ? '-->' : rest.startsWith('<?') ? '?>' : undefined;
    if (end === undefined) return rest;
    const at = rest.indexOf(end);
    if (at < 0) return '';
    rest = rest.slice(at + end.length).trimStart();
  }
};

const XML_DECLARATION = /^<\?xml\s/;

// With an XML declaration the other names of HTML's tags are names of any vocabulary.
const toMarkupType = (text: string): string | undefined => {
  const isXml = XML_DECLARATION.test(text);
  const tag = MARKUP.exec(skipProlog(text))?.[1]?.toLowerCase();
  if (tag === 'svg') return 'image/svg+xml';
  if (isXml) return tag === 'html' ? 'text/html' : 'application/xml';
  return tag !== undefined && TAGS.includes(tag) ? 'text/html' : undefined;
};

const RECORD = /((?:"(?:[^"]|"")*"|[^",;\s][^",;\r\n]*)?)([,;]|\r?\n|$)/y;

/** Fields of each record that is whole; undefined where the text isn't made of records, or mixes its separators. */
const countFields = (text: string, isWhole: boolean): number[] | undefined => {
  const counts: number[] = [];
  let [fields, separator] = [0, ''];
  for (RECORD.lastIndex = 0; RECORD.lastIndex < text.length; ) {
    const match = RECORD.exec(text);
    if (match === null) return isWhole ? undefined : counts;
    const end = match[2]!;
    fields += 1;
    if (end === ',' || end === ';') {
      if (separator !== '' && separator !== end) return undefined;
      separator = end;
    } else if (isWhole || end !== '') {
      counts.push(fields);
      fields = 0;
    }
  }
  return counts;
};

// A header and a record, or more, of the same two fields or more. A blank after the separator is prose's.
const isCsv = (text: string, isWhole: boolean): boolean => {
  const counts = countFields(text, isWhole);
  return counts !== undefined && counts.length > 1 && counts[0]! > 1 && counts.every((count) => count === counts[0]);
};

/** The media type of a text that is the beginning of a file, or all of it: HTML, SVG, other XML, JSON, CSV, else plain text. */
export const toTextType = (text: string, isWhole: boolean): string => {
  const markup = toMarkupType(text);
  if (markup !== undefined) return markup;
  if (/^\s*[{[]/.test(text)) return isJsonPrefix(text, isWhole) ? 'application/json' : 'text/plain';
  return isCsv(text, isWhole) ? 'text/csv' : 'text/plain';
};
