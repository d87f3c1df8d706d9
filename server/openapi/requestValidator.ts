// The validators that express-openapi-validator compiles from the document, called directly. Its middleware searches
// the path of every request again and compiles its pattern, although the router has already matched it, and passes the
// request through several promises. That takes several times as long as the validation itself.
//
// Only this module reaches into the library. It was written for version 5.6.2, and depends on:
// - three classes of the folder `dist`, imported below, with the arguments that the library's own middleware passes;
// - the options that `OpenApiValidator` derives, in `ajvOpts`;
// - the two caches of `RequestValidator`, in `ajv` and `ajvBody`, and their keys: method, path and media type;
// - that a compiled validator holds nothing of a request, so that all servers of a process can use it.
// test/server/openapi/requestValidator.test.ts compares it with the library's middleware for every operation.
import type { Ajv, ValidateFunction } from 'ajv';
import type { Request } from 'express';
import { RequestValidator as LibraryValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import type { ApiDocument, Method } from './document.ts';

/** The options with which the library validates, for requests and for answers. It changes the document. */
export const toValidatorOptions = (document: object) => ({
  apiSpec: structuredClone(document) as never,
  validateApiSpec: false,
  validateSecurity: false,
  // Formats document the meaning of values; patterns and handlers check them.
  validateFormats: false,
  fileUploader: false,
});

/** A request whose path was matched, as the library reads it. */
type MatchedRequest = Pick<Request, 'headers' | 'params'> & {
  readonly body: unknown;
  readonly query: object;
  /** With the query. */
  readonly url: string;
};

/** The validators of one path. */
export interface RequestValidator {
  /**
   * Validates a request, and adds the default values of parameters that it doesn't have.
   * @throws BadRequest of express-openapi-validator with all findings.
   */
  validate(method: Method, request: MatchedRequest): void;
}

interface Compiled {
  readonly parameters: ValidateFunction;
  readonly body: ValidateFunction;
}

/** The library's caches of compiled validators, which it has no public access to. */
interface Caches {
  readonly ajv: Ajv;
  readonly ajvBody: Ajv;
}

const isValid = ({ parameters, body }: Compiled, { query, headers, params, body: sent }: MatchedRequest): boolean => {
  const data = { query, headers, params, cookies: undefined, body: sent };
  return parameters(data) && body(data);
};

const throwIfGiven = (error?: unknown): void => {
  if (error !== undefined) throw error;
};

/**
 * Compiles the description of one path of a document. Each operation is compiled at its first request. A request with a
 * query, and one that isn't valid, goes the library's own way, which has more rules on queries and names the findings.
 */
export const createRequestValidator = (document: ApiDocument, path: string): RequestValidator => {
  const options = toValidatorOptions(document);
  const { ajvOpts } = new OpenApiValidator({ ...options, validateRequests: true });
  const { apiDoc } = new SchemaPreprocessor(options.apiSpec, ajvOpts.preprocessor, undefined as never).preProcess();
  const library = new LibraryValidator(apiDoc, ajvOpts.request);
  const { ajv, ajvBody } = library as unknown as Caches;
  const compiled = new Map<string, Compiled>();

  const validateByLibrary = (method: Method, contentType: string, request: MatchedRequest): void => {
    const { headers, params, body, query, url } = request;
    const schema = apiDoc.paths![path]![method]!;
    const openapi = { expressRoute: path, openApiRoute: path, pathParams: params, schema };
    const matched = { method, headers, params, body, query, originalUrl: url, path: url, openapi };
    library.validate(matched as never, undefined as never, throwIfGiven);
    const key = `${method}-${path}-${contentType}`;
    compiled.set(`${method} ${contentType}`, { parameters: ajv.getSchema(key)!, body: ajvBody.getSchema(key)! });
  };

  return {
    validate: (method, request) => {
      const contentType = request.headers['content-type'] ?? 'not_provided';
      const known = request.url.includes('?') ? undefined : compiled.get(`${method} ${contentType}`);
      if (known === undefined || !isValid(known, request)) validateByLibrary(method, contentType, request);
    },
  };
};
