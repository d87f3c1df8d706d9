// Validates requests, and in tests answers, against the document. A refusal describes each violation in this project's
// own words; messages of the validator are never passed on.
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import OpenApiValidator from 'express-openapi-validator';
import type { FieldViolation, LedgerErrorCode } from '../../ledger/errors.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { type ApiDocument, type ApiOperation, toQueryParameters, withoutGroups, withoutResponses } from './document.ts';
import { keep } from './kept.ts';
import { readQuery } from './queryStrings.ts';
import { toReachable } from './reachable.ts';
import { createRequestValidator, type RequestValidator, toValidatorOptions } from './requestValidator.ts';
import { toValidated } from './validatedDocument.ts';

/** An error of the validator: a pointer into `{ body, query, params, headers }`, and the schema keyword that failed. */
export interface ValidatorFinding {
  readonly path: string;
  readonly errorCode?: string;
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  required: 'is missing',
  additionalProperties: 'is not a documented field',
  type: 'has the wrong type',
  enum: 'is not one of the documented values',
  pattern: 'is not of the documented form',
  minimum: 'is too small',
  maximum: 'is too large',
  minLength: 'is too short',
  maxLength: 'is too long',
  minItems: 'has too few items',
  maxItems: 'has too many items',
  maxProperties: 'has too many fields',
  propertyNames: 'has a field whose name is empty or too long',
};

const ATTRIBUTE_MAPS: readonly string[] = ['attributes', 'event_attributes', 'asset_attributes'];

const toCode = (place: string, field: string): LedgerErrorCode => {
  if (place === 'params') return 'IDENTITY_INVALID';
  const [map, name] = field.split('/');
  if (place === 'body' && map === 'root_principals') return 'ROOT_PRINCIPALS_INVALID';
  return place === 'body' && name !== undefined && ATTRIBUTE_MAPS.includes(map!)
    ? 'ATTRIBUTE_INVALID'
    : 'REQUEST_INVALID';
};

const ATTRIBUTE = 'must be a string, a map of strings, or a list of maps of strings';

const describe = (code: LedgerErrorCode, keyword: string): string => {
  if (code === 'ATTRIBUTE_INVALID' && keyword === 'type') return ATTRIBUTE;
  return DESCRIPTIONS[keyword] ?? 'does not match the document';
};

const toViolation = ({ path, errorCode }: ValidatorFinding): FieldViolation & { code: LedgerErrorCode } => {
  const [, place = '', ...rest] = path.split('/');
  const field = rest.length === 0 ? place : rest.join('/');
  const code = toCode(place, field);
  return { code, field, description: describe(code, errorCode?.split('.')[0] ?? '') };
};

/** The refusal of a request, or of one line of its body, with these findings. */
export const toRefusal = (findings: readonly ValidatorFinding[], cause?: unknown): LedgerError => {
  const byField = new Map(findings.map(toViolation).map((violation) => [violation.field, violation]));
  const codes = new Set([...byField.values()].map(({ code }) => code));
  const violations = [...byField.values()].map(({ field, description }) => ({ field, description }));
  const message = violations.map(({ field, description }) => `${field}: ${description}`).join('; ');
  return new LedgerError(codes.size === 1 ? [...codes][0]! : 'REQUEST_INVALID', { message, violations, cause });
};

const toLedgerError = (error: unknown): unknown =>
  error instanceof OpenApiValidator.error.BadRequest ? toRefusal(error.errors as ValidatorFinding[], error) : error;

/** The description of one path, because the validators of a document compile all of its paths. */
export const toPathDocument = (document: ApiDocument, path: string): ApiDocument => {
  const { components, ...rest } = toValidated(document);
  const paths = { [path]: withoutGroups(document, document.paths[path]!) };
  return { ...rest, servers: [{ url: '/' }], paths, components: toReachable(components, paths) };
};

/** The same for its requests only: the validator of requests would prepare the schemas of answers too. */
export const toRequestDocument = (document: ApiDocument, path: string): ApiDocument =>
  toPathDocument({ ...document, paths: { [path]: withoutResponses(document.paths[path]!) } }, path);

// By the document, then by the path. Creating one takes tens of milliseconds, so it waits for the first request.
const openValidators = keep(
  (document: ApiDocument) => keep((path: string) => createRequestValidator(toRequestDocument(document, path), path)),
  new WeakMap(),
);

/**
 * Validates a request of one operation, and returns the parameters of its query.
 * @throws LedgerError that names each violation.
 */
export type Validate = (request: Request) => object;

/** The validation of the requests of an operation, with the validator of its path. */
export const createValidation = (
  document: ApiDocument,
  { path, method }: Pick<ApiOperation, 'path' | 'method'>,
): Validate => {
  const parameters = toQueryParameters(document, path, method);
  let validator: RequestValidator | undefined;
  return ({ url, headers, params, body }) => {
    // A target in absolute form of another scheme than HTTP: the router reads only its path.
    if (!url.startsWith('/')) throw new LedgerError('ROUTE_NOT_FOUND');
    const { single, groups } = readQuery(url, parameters);
    validator ??= openValidators(document)(path);
    try {
      validator.validate(method, { url, headers, params, body: body as unknown, query: single });
    } catch (error) {
      throw toLedgerError(error);
    }
    return Object.assign(single, groups);
  };
};

// After its first call, a handler calls the function again if it refuses the answer.
const runInSequence = async (
  handlers: readonly RequestHandler[],
  request: Request,
  response: Response,
  next: NextFunction,
) => {
  for (const handler of handlers) {
    const { promise: called, resolve } = Promise.withResolvers<unknown>();
    let isCalled = false;
    void handler(request, response, (error?: unknown) => {
      if (isCalled) return next(error);
      isCalled = true;
      resolve(error);
    });
    const error = await called;
    if (error !== undefined) throw error;
  }
};

/**
 * Prepares a response of a path so that an answer that the document doesn't describe becomes a 500: `next` is called
 * with the error then.
 */
export type ValidateAnswer = (request: Request, response: Response, next: NextFunction) => Promise<void>;

// After its first request, a validator keeps the application that it answered: it would let it convert Express' own
// parameters of paths, which no operation reads.
const openAnswerValidator = (document: ApiDocument, path: string): RequestHandler[] => {
  const { paths, ...rest } = toPathDocument(document, path);
  const item = paths[path]!;
  const described = { ...rest, paths: { [path]: item.get === undefined ? item : { ...item, head: item.get } } };
  return OpenApiValidator.middleware({
    ...toValidatorOptions(described),
    useRequestUrl: true,
    validateRequests: false,
    validateResponses: true,
  }) as unknown as RequestHandler[];
};

const openAnswerValidators = keep(
  (document: ApiDocument) => keep((path: string) => openAnswerValidator(document, path)),
  new WeakMap(),
);

/** The validation of the answers of a path, for tests. Its validator is created at the first request. */
export const createAnswerValidation =
  (document: ApiDocument, path: string): ValidateAnswer =>
  (request, response, next) =>
    runInSequence(openAnswerValidators(document)(path), request, response, next);
