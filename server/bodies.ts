// Turns the bytes of a request body into a value: content type first, then size, then text. Strict where JSON parsers are lenient:
// what isn't UTF-8, or can't be said in canonical JSON, is refused instead of being replaced.

import { parse as parseForm } from 'node:querystring';
import express, { type Request, type RequestHandler } from 'express';
import { LedgerError, refuseField } from '../ledger/errors.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

const isUtf8 = (parameters: readonly string[]): boolean => {
  const charset = parameters.map((text) => text.trim().toLowerCase()).find((text) => text.startsWith('charset='));
  return charset === undefined || /^charset="?utf-8"?$/.test(charset);
};

/**
 * Middleware that takes only one media type, in UTF-8 and without content encoding. It leaves the header with the bare media type, because
 * the validator keeps a compiled schema for every content type that it ever sees.
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

/** Middleware for operations without a body: none is read, whatever its type. */
export const ignoreBody: RequestHandler = (request, _response, next) => {
  delete request.headers['content-type'];
  next();
};

// body-parser's names for what can be wrong with a body.
const REFUSALS: Readonly<Record<string, (cause: unknown) => LedgerError>> = {
  'entity.too.large': (cause) => new LedgerError('REQUEST_TOO_LARGE', { cause }),
  'encoding.unsupported': (cause) => new LedgerError('MEDIA_TYPE_UNSUPPORTED', { cause }),
  'request.aborted': (cause) => new LedgerError('REQUEST_INVALID', { cause }),
  'request.size.invalid': (cause) => new LedgerError('REQUEST_INVALID', { cause }),
};

const toBodyError = (error: unknown): unknown => REFUSALS[(error as { type?: string }).type ?? '']?.(error) ?? error;

// A body over the limit is read to its end before it is refused, so that the client, who is still sending, sees the answer. Up to here.
const DRAINED_BYTES_MAX = 16 * 1024 * 1024;

/** Middleware that reads the body's bytes, at most `bytesMax`. */
export const readBody = (bytesMax: number): RequestHandler => {
  const read = express.raw({ limit: bytesMax, inflate: false, type: () => true });
  return (request, response, next) => {
    if (Number(request.headers['content-length']) > Math.max(bytesMax, DRAINED_BYTES_MAX)) {
      response.set('connection', 'close');
      throw new LedgerError('REQUEST_TOO_LARGE');
    }
    read(request, response, (error?: unknown) => (error === undefined ? next() : next(toBodyError(error))));
  };
};

const decodeText = (body: unknown): string => {
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

// Iterative, because JSON.parse takes any depth and the stack does not.
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

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new LedgerError('REQUEST_INVALID', {
      message: 'body: is not JSON',
      violations: [{ field: 'body', description: 'is not JSON' }],
      cause,
    });
  }
};

const decodeJson = (text: string): unknown => {
  const value = parseJson(text);
  // UTF-8 can't say half of a pair; only an escape can.
  if (text.includes('\\u')) assertWellFormed(value);
  return value;
};

const DECODERS: Readonly<Record<string, (text: string) => unknown>> = {
  'application/json': decodeJson,
  'application/x-www-form-urlencoded': (text) => parseForm(text, '&', '=', { maxKeys: 0 }),
};

/** Middleware that puts the decoded value in the place of the bytes. */
export const decodeBody = (mediaType: string): RequestHandler => {
  const decode = DECODERS[mediaType];
  if (decode === undefined) throw new TypeError(`no decoder for ${mediaType}`);
  return (request: Request, _response, next) => {
    request.body = decode(decodeText(request.body));
    next();
  };
};
