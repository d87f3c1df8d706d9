// Recognises the type of a text by the beginning of its file (decision 56). The type depends on the first bytes alone,
// so the same file always has the same type, however large it is.
import { isJsonPrefix } from './jsonPrefix.ts';

/** Bytes of a file that decide its type. */
export const PREFIX_BYTES = 65_536;

/** The beginning of a file. */
export interface Prefix {
  readonly bytes: Uint8Array;
  /** Whether it is the complete file. */
  readonly isComplete: boolean;
}

const encodingOf = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
};

const CONTROLS_MAX = 0x20;
const TEXT_CONTROLS: readonly number[] = [...'\t\n\f\r\u001b'].map((character) => character.charCodeAt(0));

// The characters that the WHATWG's MIME Sniffing Standard calls binary.
const hasBinary = (text: string): boolean => {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < CONTROLS_MAX && !TEXT_CONTROLS.includes(code)) return true;
  }
  return false;
};

/**
 * The text of a file's beginning, without byte order mark: UTF-8, or UTF-16 with the mark. Undefined where it isn't
 * text.
 */
export const decodeText = ({ bytes, isComplete }: Prefix): string | undefined => {
  try {
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes, { stream: !isComplete });
    return hasBinary(text) ? undefined : text;
  } catch (error) {
    // The decoder's error for bytes that are not text.
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

// After an XML declaration, tag names of HTML other than `html` may belong to any vocabulary.
const toMarkupType = (text: string): string | undefined => {
  const isXml = XML_DECLARATION.test(text);
  const tag = MARKUP.exec(skipProlog(text))?.[1]?.toLowerCase();
  if (tag === 'svg') return 'image/svg+xml';
  if (isXml) return tag === 'html' ? 'text/html' : 'application/xml';
  return tag !== undefined && TAGS.includes(tag) ? 'text/html' : undefined;
};

const RECORD = /((?:"(?:[^"]|"")*"|[^",;\s][^",;\r\n]*)?)([,;]|\r?\n|$)/y;

/**
 * Number of fields of each complete record; undefined when the text does not consist of records, or mixes its
 * separators.
 */
const countFields = (text: string, isComplete: boolean): number[] | undefined => {
  const counts: number[] = [];
  let [fields, separator] = [0, ''];
  for (RECORD.lastIndex = 0; RECORD.lastIndex < text.length; ) {
    const match = RECORD.exec(text);
    if (match === null) return isComplete ? undefined : counts;
    const end = match[2]!;
    fields += 1;
    if (end === ',' || end === ';') {
      if (separator !== '' && separator !== end) return undefined;
      separator = end;
    } else if (isComplete || end !== '') {
      counts.push(fields);
      fields = 0;
    }
  }
  return counts;
};

// A header and one or more records, all with the same number of fields, two or more. A blank after a separator means
// prose.
const isCsv = (text: string, isComplete: boolean): boolean => {
  const counts = countFields(text, isComplete);
  return counts !== undefined && counts.length > 1 && counts[0]! > 1 && counts.every((count) => count === counts[0]);
};

/** The media type of a text, which is a file or its beginning: HTML, SVG, other XML, JSON, CSV, else plain text. */
export const toTextType = (text: string, isComplete: boolean): string => {
  const markup = toMarkupType(text);
  if (markup !== undefined) return markup;
  if (/^\s*[{[]/.test(text)) return isJsonPrefix(text, isComplete) ? 'application/json' : 'text/plain';
  return isCsv(text, isComplete) ? 'text/csv' : 'text/plain';
};
