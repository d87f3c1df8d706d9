// Validates requests, and in tests answers, against the document. A refusal describes each violation in this project's
// own words; messages of the validator are never passed on.
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import OpenApiValidator from 'express-openapi-validator';
import type { FieldViolation, LedgerErrorCode } from '../../ledger/errors.ts';
import { LedgerError } from '../../ledger/errors.ts';
import {
  type ApiDocument,
  METHODS,
  type ParameterObject,
  toQueryParameters,
  withoutGroups,
  withoutNulls,
} from './document.ts';
import { readQuery } from './queryStrings.ts';

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

const toViolation = ({ path, errorCode }: ValidatorFinding): FieldViolation & { code: LedgerErrorCode } => {
  const [, place = '', ...rest] = path.split('/');
  const field = rest.length === 0 ? place : rest.join('/');
  const description = DESCRIPTIONS[errorCode?.split('.')[0] ?? ''] ?? 'does not match the document';
  return { code: toCode(place, field), field, description };
};

/** The refusal of a request, or of one line of its body, with these findings. */
export const toRefusal = (findings: readonly ValidatorFinding[], cause?: unknown): LedgerError => {
  const byField = new Map(findings.map(toViolation).map((violation) => [violation.field, violation]));
  const codes = new Set([...byField.values()].map(({ code }) => code));
  const violations = [...byField.values()].map(({ field, description }) => ({ field, description }));
  const message = violations.map(({ field, description }) => `${field}: ${description}`).join('; ');
  return new LedgerError(codes.size === 1 ? [...codes][0]! : 'REQUEST_INVALID', { message, violations, cause });
};

const toLedgerError = (error: unknown): unknown => {
  if (error instanceof OpenApiValidator.error.BadRequest) return toRefusal(error.errors as ValidatorFinding[], error);
  // The validator reads the request target as it was sent, and understands only origin form.
  if (error instanceof OpenApiValidator.error.NotFound) return new LedgerError('ROUTE_NOT_FOUND', { cause: error });
  return error;
};

const createValidator = (document: ApiDocument, path: string, validateResponses: boolean): RequestHandler[] => {
  const item = withoutGroups(document, document.paths[path]!);
  const paths = { [path]: item.get === undefined ? item : { ...item, head: item.get } };
  return OpenApiValidator.middleware({
    apiSpec: { ...withoutNulls(document), servers: [{ url: '/' }], paths } as never,
    useRequestUrl: true,
    validateApiSpec: false,
    validateRequests: true,
    validateResponses,
    validateSecurity: false,
    // Formats document the meaning of values; patterns and handlers check them.
    validateFormats: false,
    fileUploader: false,
  }) as unknown as RequestHandler[];
};

// The validator passes requests that it has no description of, so a passed request must have one.
const isValidated = (request: Request): boolean => (request as { openapi?: unknown }).openapi !== undefined;

const runInSequence = (
  handlers: readonly RequestHandler[],
  request: Request,
  response: Response,
  done: NextFunction,
) => {
  const createNext = (index: number) => (error?: unknown) => {
    const handler = handlers[index];
    if (error !== undefined || handler === undefined) done(error);
    else handler(request, response, createNext(index + 1));
  };
  createNext(0)();
};

const toMethod = ({ method }: Request): string => (method === 'HEAD' ? 'get' : method.toLowerCase());

// Express defines `query` as a getter; this value replaces it for the validator and the handler.
const setQuery = (request: Request, query: object): void => {
  Object.defineProperty(request, 'query', { value: query, writable: true, configurable: true, enumerable: true });
};

/**
 * Middleware that parses the query and validates the requests of one path, with `validateResponses` also the answers.
 * Each path has a validator of its own, because a validator tries its paths one by one and compiles each again on every
 * request. It is created at the first request, because that takes tens of milliseconds.
 */
export const createValidation = (document: ApiDocument, path: string, validateResponses: boolean): RequestHandler => {
  let validator: RequestHandler[] | undefined;
  const parametersOf = new Map<string, ParameterObject[]>(
    METHODS.map((method) => [method, toQueryParameters(document, path, method)]),
  );
  return (request, response, next) => {
    const { single, groups } = readQuery(request.url, parametersOf.get(toMethod(request))!);
    setQuery(request, single);
    validator ??= createValidator(document, path, validateResponses);
    runInSequence(validator, request, response, (error?: unknown) => {
      if (error !== undefined) return next(toLedgerError(error));
      if (!isValidated(request)) return next(new LedgerError('ROUTE_NOT_FOUND'));
      setQuery(request, { ...request.query, ...groups });
      next();
    });
  };
};
