// What kind of bytes a blob holds: as the client said, else as the bytes themselves look. Whatever it says, it is safe in a header.
import { fileTypeFromFile } from 'file-type';

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

const sniff = async (path: string): Promise<string | undefined> => {
  const found = await fileTypeFromFile(path).catch(forgive);
  return found === undefined ? undefined : parseMimeType(found.mime);
};

/** The media type of a file: the declared one, when it is one and says anything; else what the bytes look like. */
export const readMimeType = async (path: string, declared: string | undefined): Promise<string> => {
  const given = declared === undefined ? undefined : parseMimeType(declared);
  const isTelling = given !== undefined && given.split(';')[0] !== UNKNOWN_TYPE;
  return isTelling ? given : ((await sniff(path)) ?? UNKNOWN_TYPE);
};
