// Decodes request bodies: checks the content type, then the size, then the text. Strict where JSON parsers are lenient:
// text that isn't UTF-8, or has no canonical JSON, is refused instead of being replaced.

import { parse as parseForm } from 'node:querystring';
import express, { type Request, type RequestHandler } from 'express';
import { findRepeatedMember } from '../../ledger/encoding/repeatedNames.ts';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import { parseBoundary } from '../blobs/multipart.ts';
import type { ApiOperation, NullableMembers } from '../openapi/document.ts';
import { parseKeepingNumbers } from './numberTexts.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

const isUtf8 = (parameters: readonly string[]): boolean => {
  const charset = parameters.map((text) => text.trim().toLowerCase()).find((text) => text.startsWith('charset='));
  return charset === undefined || /^charset="?utf-8"?$/.test(charset);
};

/**
 * Middleware that accepts only one media type, in UTF-8. It reduces the header to the bare media type, because the
 * validator keeps a compiled schema for every content type that it receives.
 */
export const requireMediaType =
  (mediaType: string): RequestHandler =>
  (request, _response, next) => {
    const [given, ...parameters] = (request.headers['content-type'] ?? '').split(';');
    const accepted = given!.trim().toLowerCase() === mediaType && isUtf8(parameters);
    if (!accepted) throw new LedgerError('MEDIA_TYPE_UNSUPPORTED');
    request.headers['content-type'] = mediaType;
    next();
  };

/** Middleware for bodies that are read while they arrive: they must not be compressed. */
export const refuseEncodings: RequestHandler = (request, _response, next) => {
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding.toLowerCase() !== 'identity') throw new LedgerError('MEDIA_TYPE_UNSUPPORTED');
  next();
};

/** The media type of uploads. */
export const MULTIPART = 'multipart/form-data';

/**
 * Middleware for operations that receive a file. It reads no bytes and sets a placeholder for the validator; the
 * handler runs when the file was received. `response.locals.boundary` has the boundary of the parts.
 */
export const requireMultipart: RequestHandler = (request, response, next) => {
  const { 'content-type': contentType = '', 'content-encoding': encoding = 'identity' } = request.headers;
  const isMultipart = contentType.split(';')[0]!.trim().toLowerCase() === MULTIPART;
  if (!isMultipart || encoding.toLowerCase() !== 'identity') throw new LedgerError('MEDIA_TYPE_UNSUPPORTED');
  const boundary = parseBoundary(contentType);
  if (boundary === undefined) throw refuseField('REQUEST_INVALID', 'content-type', 'names no boundary');
  response.locals.boundary = boundary;
  request.headers['content-type'] = MULTIPART;
  request.body = { file: '' };
  next();
};

/** Middleware for operations without a body: a body is ignored, whatever its type. */
export const ignoreBody: RequestHandler = (request, _response, next) => {
  delete request.headers['content-type'];
  next();
};

/** The refusal of a body, or of one line of it, over its limit of bytes. */
export const refuseLarge = (bytesMax: number): LedgerError =>
  refuseField('REQUEST_TOO_LARGE', 'body', `is larger than ${bytesMax} bytes`);

// body-parser's names of errors.
const REFUSALS: Readonly<Record<string, (cause: unknown) => LedgerError>> = {
  'encoding.unsupported': (cause) => new LedgerError('MEDIA_TYPE_UNSUPPORTED', { cause }),
  'request.aborted': (cause) => new LedgerError('REQUEST_INVALID', { cause }),
  'request.size.invalid': (cause) => new LedgerError('REQUEST_INVALID', { cause }),
};

const toBodyError = (error: unknown, bytesMax: number): unknown => {
  const { type = '' } = error as { type?: string };
  return type === 'entity.too.large' ? refuseLarge(bytesMax) : (REFUSALS[type]?.(error) ?? error);
};

// A body over the limit is read to its end before it is refused, because a client that is still sending would not see
// the answer. A body larger than this is refused at once.
const DRAINED_BYTES_MAX = 16 * 1024 * 1024;

/** Middleware that reads the body's bytes, at most `bytesMax`. */
export const readBody = (bytesMax: number): RequestHandler => {
  const read = express.raw({ limit: bytesMax, inflate: false, type: () => true });
  return (request, response, next) => {
    if (Number(request.headers['content-length']) > Math.max(bytesMax, DRAINED_BYTES_MAX)) {
      response.set('connection', 'close');
      throw refuseLarge(bytesMax);
    }
    read(request, response, (error?: unknown) => (error === undefined ? next() : next(toBodyError(error, bytesMax))));
  };
};

const decodeBodyText = (body: unknown): string => {
  if (!Buffer.isBuffer(body) || body.length === 0) throw refuseField('REQUEST_INVALID', 'body', 'is missing');
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
  const token = name.replaceAll('~', '~0').replaceAll('/', '~1');
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

// JSON.parse uses the last of repeated names, other parsers the first.
const assertNoneRepeated = (text: string): void => {
  const path = findRepeatedMember(text);
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

/** Properties of a body's members that its schema, which checks the decoded value, can't express. */
export type BodyFields = Pick<ApiOperation, 'numberTexts' | 'nulls' | 'namesMax'>;

const decodeJson = (text: string, { numberTexts, nulls }: BodyFields): unknown => {
  const value = parseJson(text, numberTexts);
  assertNoneRepeated(text);
  // UTF-8 can't encode half of a surrogate pair; only an escape can.
  if (text.includes('\\u')) assertWellFormed(value);
  removeNulls(value, nulls);
  return value;
};

/** The value of a JSON text in UTF-8. @throws LedgerError REQUEST_INVALID that names the field, or `body`. */
export const decodeJsonBytes = (bytes: Buffer, fields: BodyFields): unknown =>
  decodeJson(decodeBodyText(bytes), fields);

// Counts before decoding, because decoding builds a list of values for each name.
const decodeForm = (text: string, { namesMax = Number.POSITIVE_INFINITY }: BodyFields): unknown => {
  const pairs = text.split('&').length;
  if (pairs > namesMax) throw refuseField('REQUEST_INVALID', 'body', `has more than ${namesMax} parameters`);
  return parseForm(text, '&', '=', { maxKeys: 0 });
};

const DECODERS: Readonly<Record<string, (text: string, fields: BodyFields) => unknown>> = {
  'application/json': decodeJson,
  'application/x-www-form-urlencoded': decodeForm,
};

/**
 * Middleware that replaces the bytes of the body by the decoded value: numbers of `numberTexts` as the text that was
 * sent, and without the members of `nulls` that are `null`.
 */
export const decodeBody = (mediaType: string, fields: BodyFields): RequestHandler => {
  const decode = DECODERS[mediaType];
  if (decode === undefined) throw new TypeError(`no decoder for ${mediaType}`);
  return (request: Request, _response, next) => {
    request.body = decode(decodeBodyText(request.body), fields);
    next();
  };
};
