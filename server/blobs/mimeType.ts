// What kind of bytes a blob holds: as the client said, else as the bytes themselves look. Whatever it says, it is safe in a header.
import { open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { decodeText, PREFIX_BYTES, type Prefix, toTextType } from './textTypes.ts';

/** The type of bytes of which nothing is known. */
export const UNKNOWN_TYPE = 'application/octet-stream';

const CHARACTERS_MAX = 255;
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = `[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"(?:[\\t !#-\\[\\]-~]|\\\\[\\t -~])*")`;
const MEDIA_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})((?:${PARAMETER})*)[ \\t]*;?[ \\t]*$`);

/** A media type with its parameters, type and subtype in lower case; undefined when it isn't one, or has more than 255 characters. */
export const parseMimeType = (text: string): string | undefined => {
  const match = text.length > CHARACTERS_MAX ? null : MEDIA_TYPE.exec(text.trim());
  return match === null ? undefined : `${match[1]!.toLowerCase()}${match[2]!}`;
};

// What the library stumbles over is of no known type; a file that can't be read is another matter.
const forgive = (error: NodeJS.ErrnoException): undefined => {
  if (error.syscall !== undefined) throw error;
};

const readPrefix = async (path: string): Promise<Prefix> => {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(PREFIX_BYTES + 1), 0, PREFIX_BYTES + 1, 0);
    return { bytes: buffer.subarray(0, Math.min(bytesRead, PREFIX_BYTES)), isWhole: bytesRead <= PREFIX_BYTES };
  } finally {
    await file.close();
  }
};

// Formats that are texts with a name at their beginning. The name of any other format at the beginning of a text is a word.
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
  const found = await fileTypeFromFile(path).catch(forgive);
  if (found !== undefined && WRITTEN_AS_TEXT.includes(found.mime)) return found.mime;
  const prefix = await readPrefix(path);
  const text = decodeText(prefix);
  if (text === undefined) return found && parseMimeType(found.mime);
  return toTextType(text, prefix.isWhole);
};

/** The media type of a file: the declared one, when it is one and says anything; else what the bytes look like. */
export const readMimeType = async (path: string, declared: string | undefined): Promise<string> => {
  const given = declared === undefined ? undefined : parseMimeType(declared);
  const isTelling = given !== undefined && given.split(';')[0] !== UNKNOWN_TYPE;
  return isTelling ? given : ((await sniff(path)) ?? UNKNOWN_TYPE);
};
