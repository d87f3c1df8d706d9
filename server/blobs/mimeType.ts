// The media type of a blob: as the client declares it, else as its bytes suggest. It is always safe in a header.
import { open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { decodeText, PREFIX_BYTES, type Prefix, toTextType } from './textTypes.ts';

/** Media type of unknown bytes. */
export const UNKNOWN_TYPE = 'application/octet-stream';

const CHARACTERS_MAX = 255;
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = `[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"(?:[\\t !#-\\[\\]-~]|\\\\[\\t -~])*")`;
const MEDIA_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})((?:${PARAMETER})*)[ \\t]*;?[ \\t]*$`);

/**
 * A media type with its parameters, type and subtype in lower case; undefined when the text isn't a media type, or has
 * more than 255 characters.
 */
export const parseMimeType = (text: string): string | undefined => {
  const match = text.length > CHARACTERS_MAX ? null : MEDIA_TYPE.exec(text.trim());
  return match === null ? undefined : `${match[1]!.toLowerCase()}${match[2]!}`;
};

// A parse error of the library means an unknown type; a file that can't be read remains an error.
const ignoreParseError = (error: NodeJS.ErrnoException): undefined => {
  if (error.syscall !== undefined) throw error;
};

const readPrefix = async (path: string): Promise<Prefix> => {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(PREFIX_BYTES + 1), 0, PREFIX_BYTES + 1, 0);
    return { bytes: buffer.subarray(0, Math.min(bytesRead, PREFIX_BYTES)), isComplete: bytesRead <= PREFIX_BYTES };
  } finally {
    await file.close();
  }
};

// Text formats that begin with a signature. In any other text the signature of a format is an ordinary word.
const WRITTEN_AS_TEXT: readonly string[] = [
  'application/eps',
  'application/pdf',
  'application/pgp-encrypted',
  'application/postscript',
  'application/rtf',
  'application/x-ms-regedit',
  'model/stl',
  'text/calendar',
  'text/vcard',
  'text/vtt',
];

const sniff = async (path: string): Promise<string | undefined> => {
  const found = await fileTypeFromFile(path).catch(ignoreParseError);
  if (found !== undefined && WRITTEN_AS_TEXT.includes(found.mime)) return found.mime;
  const prefix = await readPrefix(path);
  const text = decodeText(prefix);
  if (text === undefined) return found && parseMimeType(found.mime);
  return toTextType(text, prefix.isComplete);
};

/**
 * The media type of a file: the declared one if it is valid and not the unknown type; else the type that the bytes
 * suggest.
 */
export const readMimeType = async (path: string, declared: string | undefined): Promise<string> => {
  const given = declared === undefined ? undefined : parseMimeType(declared);
  const isSpecific = given !== undefined && given.split(';')[0] !== UNKNOWN_TYPE;
  return isSpecific ? given : ((await sniff(path)) ?? UNKNOWN_TYPE);
};
