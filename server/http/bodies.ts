// Decodes request bodies: checks the content type, then the size, then the text. Strict where JSON parsers are lenient:
// text that isn't UTF-8, or has no canonical JSON, is refused instead of being replaced.
import { parse as parseForm } from 'node:querystring';
import type { Request, Response } from 'express';
import { findExceeded, hasContent } from '../../ledger/encoding/jsonForm.ts';
import { toPointerToken } from '../../ledger/encoding/pointerToken.ts';
import { findRepeatedMember, hasRepeatedMember } from '../../ledger/encoding/repeatedNames.ts';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import { addBasicCredentials } from '../auth/basicCredentials.ts';
import { parseBoundary } from '../blobs/multipart.ts';
import { type ApiOperation, LINES, type NullableMembers } from '../openapi/document.ts';
import { assertUncompressed, readBytes } from './bodyBytes.ts';
import { parseKeepingNumbers } from './numberTexts.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

const isUtf8 = (parameters: readonly string[]): boolean => {
  const charset = parameters.map((text) => text.trim().toLowerCase()).find((text) => text.startsWith('charset='));
  return charset === undefined || /^charset="?utf-8"?$/.test(charset);
};

const refuseType = (mediaType: string): LedgerError =>
  refuseField('MEDIA_TYPE_UNSUPPORTED', 'content-type', `is not ${mediaType} in UTF-8`);

/**
 * Reduces the content type of a request to the bare media type, because the validator keeps a compiled schema for every
 * content type that it receives.
 * @throws LedgerError MEDIA_TYPE_UNSUPPORTED for any other type or charset.
 */
export const requireMediaType = ({ headers }: Request, mediaType: string): void => {
  const type = headers['content-type'] ?? '';
  if (type === mediaType) return;
  const [given, ...parameters] = type.split(';');
  const accepted = given!.trim().toLowerCase() === mediaType && isUtf8(parameters);
  if (!accepted) throw refuseType(mediaType);
  headers['content-type'] = mediaType;
};

/** A body that was received. */
export interface ReceivedBody {
  readonly bytes: number;
  /** Sets the decoded value as `body` of the request. @throws LedgerError REQUEST_INVALID. */
  readonly decode: () => void;
}

/**
 * Receives the body of a request; undefined where nothing is to be decoded. Rejects with MEDIA_TYPE_UNSUPPORTED,
 * REQUEST_TOO_LARGE or REQUEST_INVALID.
 */
export type ReadBody = (request: Request, response: Response) => Promise<ReceivedBody | undefined>;

// A client that sends the header expects that the request can be repeated, which only the keys of its lines make true.
const refuseKey = ({ headers }: Request): void => {
  if (headers['idempotency-key'] === undefined) return;
  throw refuseField('REQUEST_INVALID', 'idempotency-key', 'names one record; each line has a field idempotency_key');
};

const requireLines: ReadBody = async (request) => {
  requireMediaType(request, LINES);
  assertUncompressed(request.headers);
  refuseKey(request);
  return undefined;
};

/** The media type of uploads. */
export const MULTIPART = 'multipart/form-data';

// The body of an operation that receives a file is a placeholder for the validator; the handler runs when the file was
// received. `response.locals.boundary` has the boundary of the parts.
const requireMultipart: ReadBody = async (request, response) => {
  const { 'content-type': contentType = '' } = request.headers;
  const isMultipart = contentType.split(';')[0]!.trim().toLowerCase() === MULTIPART;
  if (!isMultipart) throw refuseField('MEDIA_TYPE_UNSUPPORTED', 'content-type', `is not ${MULTIPART}`);
  assertUncompressed(request.headers);
  const boundary = parseBoundary(contentType);
  if (boundary === undefined) throw refuseField('REQUEST_INVALID', 'content-type', 'names no boundary');
  response.locals.boundary = boundary;
  request.headers['content-type'] = MULTIPART;
  request.body = { file: '' };
  return undefined;
};

// A body is ignored, whatever its type.
const ignoreBody: ReadBody = async ({ headers }) => {
  delete headers['content-type'];
  return undefined;
};

const decodeBodyText = (body: Buffer): string => {
  if (body.length === 0) throw refuseField('REQUEST_INVALID', 'body', 'is missing');
  try {
    return decoder.decode(body);
  } catch (cause) {
    throw new LedgerError('REQUEST_INVALID', {
      message: 'body: is not UTF-8',
      violations: [{ field: 'body', description: 'is not UTF-8' }],
      cause,
    });
  }
};

const toPointer = (parent: string, name: string): string => {
  const token = toPointerToken(name);
  return parent === '' ? token : `${parent}/${token}`;
};

const refuseHalfCharacter = (path: string): LedgerError =>
  refuseField('REQUEST_INVALID', path === '' ? 'body' : path, 'holds half of a surrogate pair');

// Iterative, because JSON.parse accepts any depth and the call stack doesn't.
const assertWellFormed = (root: unknown): void => {
  const waiting: { value: unknown; path: string }[] = [{ value: root, path: '' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && !value.isWellFormed()) throw refuseHalfCharacter(path);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      const innerPath = toPointer(path, name);
      if (!name.isWellFormed()) throw refuseHalfCharacter(innerPath);
      waiting.push({ value: inner, path: innerPath });
    }
  }
};

const parseJson = (text: string, numberTexts: readonly string[]): unknown => {
  try {
    return numberTexts.length === 0 ? JSON.parse(text) : parseKeepingNumbers(text, numberTexts);
  } catch (cause) {
    throw new LedgerError('REQUEST_INVALID', {
      message: 'body: is not JSON',
      violations: [{ field: 'body', description: 'is not JSON' }],
      cause,
    });
  }
};

/** A longer text is looked through before it is parsed; in characters. */
const SHALLOW_LENGTH = 1_024;
/** No body of the document nests so deeply. */
const DEPTH_MAX = 64;

// What comes after parsing costs more than parsing, so a body that nests deeply is refused before.
const assertShallow = (bytes: Buffer): void => {
  if (findExceeded(bytes, { depthMax: DEPTH_MAX }) === undefined) return;
  throw refuseField('REQUEST_INVALID', 'body', `nests more than ${DEPTH_MAX} levels`);
};

// JSON.parse uses the last of repeated names, other parsers the first.
const assertNoneRepeated = (text: string, value: unknown): void => {
  const path = hasRepeatedMember(text, value) ? findRepeatedMember(text) : undefined;
  if (path === undefined) return;
  const pointer = path.reduce<string>((parent, name) => toPointer(parent, String(name)), '');
  throw refuseField('REQUEST_INVALID', pointer, 'is given more than once');
};

/** Deletes the members that are `null` where that means absent. */
const removeNulls = (value: unknown, { nullable, inner }: NullableMembers): void => {
  if (typeof value !== 'object' || value === null) return;
  const members = value as Record<string, unknown>;
  for (const name of nullable) if (Object.hasOwn(members, name) && members[name] === null) delete members[name];
  for (const [name, innerMembers] of inner) {
    const values = name === '*' && Array.isArray(value) ? value : [Object.hasOwn(members, name) ? members[name] : null];
    for (const each of values) removeNulls(each, innerMembers);
  }
};

// A record can't be changed later, so content that it would lose is refused.
const assertNothingLost = (value: unknown, keptElsewhere: BodyFields['keptElsewhere']): void => {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, keptBy] of keptElsewhere) {
    const isLost = Object.hasOwn(value, name) && hasContent((value as Record<string, unknown>)[name]);
    if (isLost) throw refuseField('REQUEST_INVALID', name, `is not kept here unless it is empty; use ${keptBy}`);
  }
};

/** Properties of a body's members that its schema, which checks the decoded value, can't express. */
export type BodyFields = Pick<ApiOperation, 'numberTexts' | 'nulls' | 'keptElsewhere' | 'namesMax'>;

/** The value of a JSON text in UTF-8. @throws LedgerError REQUEST_INVALID that names the field, or `body`. */
export const decodeJson = (bytes: Buffer, { numberTexts, nulls, keptElsewhere }: BodyFields): unknown => {
  const text = decodeBodyText(bytes);
  if (text.length > SHALLOW_LENGTH) assertShallow(bytes);
  const value = parseJson(text, numberTexts);
  assertNoneRepeated(text, value);
  // UTF-8 can't encode half of a surrogate pair; only an escape can.
  if (text.includes('\\u')) assertWellFormed(value);
  removeNulls(value, nulls);
  assertNothingLost(value, keptElsewhere);
  return value;
};

// Counts before decoding, because decoding builds a list of values for each name.
const decodeForm = (bytes: Buffer, { namesMax = Number.POSITIVE_INFINITY }: BodyFields): unknown => {
  const text = decodeBodyText(bytes);
  const pairs = text.split('&').length;
  if (pairs > namesMax) throw refuseField('REQUEST_INVALID', 'body', `has more than ${namesMax} parameters`);
  return parseForm(text, '&', '=', { maxKeys: 0 });
};

type Decode = (bytes: Buffer, fields: BodyFields, request: Request) => unknown;

const DECODERS: Readonly<Record<string, Decode>> = {
  'application/json': decodeJson,
  'application/x-www-form-urlencoded': (bytes, fields, { headers }) =>
    addBasicCredentials(decodeForm(bytes, fields), headers.authorization),
};

// Numbers of `numberTexts` become the text that was sent, and the members of `nulls` that are `null` are removed.
const createReadDecoded = (mediaType: string, operation: ApiOperation, bytesMax: number): ReadBody => {
  const decode = DECODERS[mediaType];
  if (decode === undefined) throw new TypeError(`no decoder for ${mediaType}`);
  return async (request, response) => {
    requireMediaType(request, mediaType);
    const onRefusedAtOnce = () => response.set('connection', 'close');
    const body = await readBytes(request, { bytesMax, onRefusedAtOnce });
    return {
      bytes: body.length,
      decode: () => {
        request.body = decode(body, operation, request);
      },
    };
  };
};

/**
 * The function that reads the bodies of an operation's requests: nothing where it has none or receives lines, and a
 * placeholder where it receives a file. `bytesMax` is the largest body in bytes, where the operation has no smaller
 * limit.
 */
export const createReadBody = (operation: ApiOperation, bytesMax: number): ReadBody => {
  const { mediaType, bodyBytesMax = bytesMax } = operation;
  if (mediaType === undefined) return ignoreBody;
  if (mediaType === MULTIPART) return requireMultipart;
  if (mediaType === LINES) return requireLines;
  return createReadDecoded(mediaType, operation, Math.min(bytesMax, bodyBytesMax));
};
