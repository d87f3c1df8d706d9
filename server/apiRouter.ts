// Mounts the operations of the document: route, authentication, authorization, body, validation, handler. In this order
// no body is read before its caller is authenticated.
import express, { type IRoute, type Request, type RequestHandler, type Response, type Router } from 'express';
import { LedgerError } from '../ledger/errors.ts';
import type { Authenticate } from './auth/authentication.ts';
import type { Right } from './auth/rights.ts';
import { type FileAnswer, sendFile } from './blobs/downloads.ts';
import type { ReceiveUpload } from './blobs/receiveUpload.ts';
import {
  decodeBody,
  ignoreBody,
  MULTIPART,
  readBody,
  refuseEncodings,
  requireMediaType,
  requireMultipart,
} from './http/bodies.ts';
import type { Limit } from './http/rateLimits.ts';
import { encodeJsonInSteps } from './http/steppedJson.ts';
import type { RunInSlices } from './http/timeSlices.ts';
import { createReadLines, type LineBodyLimits } from './lines/lineBody.ts';
import { type LinesAnswer, sendLines } from './lines/sendLines.ts';
import { type DocsPage, sendDocsPage } from './openapi/docs.ts';
import { type ApiDocument, type ApiOperation, LINES, toOperations } from './openapi/document.ts';
import type { Caller, Handlers, OpenRequest } from './openapi/handlers.ts';
import type { OperationId } from './openapi/operationIds.ts';
import { createValidation } from './openapi/validation.ts';

/** What the router needs besides the paths that it mounts. */
export interface ApiRouterDeps {
  readonly document: ApiDocument;
  readonly handlers: Handlers;
  readonly authenticate: Authenticate;
  readonly limitTenant: Limit;
  /** Runs before every route that answers without a token. */
  readonly limitAddress: RequestHandler;
  readonly receiveUpload: ReceiveUpload;
  readonly runInSlices: RunInSlices;
  readonly bodyBytesMax: number;
  readonly lineLimits: LineBodyLimits;
  /** Aborts when the server stops: then bodies of lines end. */
  readonly stopping: AbortSignal | undefined;
  readonly validateResponses: boolean;
}

/** The common type of all handlers, for requests that were validated. */
type AnyHandler = (request: OpenRequest<OperationId> & { caller: Caller | undefined }) => Promise<
  | { readonly file: FileAnswer }
  | { readonly page: DocsPage }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly json: Uint8Array }
  | LinesAnswer
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: object;
      readonly isLarge?: true;
    }
>;

const toRoutePath = (path: string): string => path.replaceAll(':', '\\:').replaceAll(/\{(\w+)\}/g, ':$1');

// Upload slots bound uploads, and no rate: after a 429 the existing client would send the upload again with an empty
// file.
const createAuthentication =
  ({ authenticate, limitTenant }: ApiRouterDeps, { mediaType }: ApiOperation, right: Right): RequestHandler =>
  async (request, response, next) => {
    const caller = await authenticate(request.headers.authorization, right);
    response.locals.caller = caller;
    if (mediaType !== MULTIPART) await limitTenant(caller.tenantIdentity);
    next();
  };

// A token is verified even where none is required: an invalid token is refused, not ignored.
const createAdmission = (deps: ApiRouterDeps, operation: ApiOperation): RequestHandler => {
  const { right, isTokenOptional } = operation;
  if (right === undefined) return deps.limitAddress;
  const authenticate = createAuthentication(deps, operation, right);
  if (!isTokenOptional) return authenticate;
  return (request, response, next) =>
    (request.headers.authorization === undefined ? deps.limitAddress : authenticate)(request, response, next);
};

const nameOperation =
  ({ id }: ApiOperation): RequestHandler =>
  (_request, response, next) => {
    response.locals.operationId = id;
    next();
  };

const toBodyMiddlewares = (operation: ApiOperation, bytesMax: number): RequestHandler[] => {
  const { mediaType, bodyBytesMax = bytesMax, ...fields } = operation;
  if (mediaType === undefined) return [ignoreBody];
  if (mediaType === MULTIPART) return [requireMultipart];
  if (mediaType === LINES) return [requireMediaType(LINES), refuseEncodings];
  return [requireMediaType(mediaType), readBody(Math.min(bytesMax, bodyBytesMax)), decodeBody(mediaType, fields)];
};

const toParams = (params: Request['params']) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value).toLowerCase()]));

const toHandlerRequest = ({ headerNames }: ApiOperation, request: Request, response: Response) => ({
  params: toParams(request.params),
  query: request.query,
  headers: Object.fromEntries(headerNames.map((name) => [name, request.headers[name.toLowerCase()]])),
  body: request.body as unknown,
  caller: response.locals.caller as Caller | undefined,
  origin: `${request.protocol}://${request.headers.host ?? ''}`,
  prefix: request.baseUrl,
  address: request.ip ?? '',
});

type SendLarge = (response: Response, body: object) => Promise<void>;

// The validator of answers reads the object that `response.json()` is called with.
const createSendLarge =
  ({ runInSlices, validateResponses }: ApiRouterDeps): SendLarge =>
  async (response, body) => {
    if (validateResponses) response.json(body);
    else response.type('json').send(await runInSlices(encodeJsonInSteps(body)));
  };

const sendEncoded = (response: Response, json: Uint8Array, { validateResponses }: ApiRouterDeps): void => {
  if (validateResponses) response.json(JSON.parse(Buffer.from(json).toString()));
  else response.type('json').send(json);
};

const createRun = (operation: ApiOperation, deps: ApiRouterDeps): RequestHandler => {
  const { handlers, receiveUpload } = deps;
  const handler = handlers[operation.id] as unknown as AnyHandler;
  const sendLarge = createSendLarge(deps);
  const run = async (request: Request, response: Response): Promise<void> => {
    const answer = await handler(toHandlerRequest(operation, request, response) as never);
    if ('file' in answer) return sendFile(response, answer.file);
    if ('page' in answer) return sendDocsPage(response, answer.page);
    if ('lines' in answer) return sendLines(request, response, answer);
    response.status(answer.status).set(answer.headers ?? {});
    if ('json' in answer) return sendEncoded(response, answer.json, deps);
    const { body, isLarge } = answer;
    if (isLarge) await sendLarge(response, body);
    else response.json(body);
  };
  if (operation.mediaType === LINES) {
    const readLines = createReadLines({ ...deps, limits: deps.lineLimits }, operation);
    return (request, response) => {
      request.body = { groups: readLines(request) };
      return run(request, response);
    };
  }
  if (operation.mediaType !== MULTIPART) return run;
  return (request, response) => {
    const { boundary, caller } = response.locals as { boundary: string; caller: Caller };
    return receiveUpload({ request, response, boundary, tenantIdentity: caller.tenantIdentity }, (file) => {
      request.body = { file };
      return run(request, response);
    });
  };
};

const refuseMethod = (operations: readonly ApiOperation[]): RequestHandler => {
  const allowed = operations.map(({ method }) => method.toUpperCase());
  const allow = (allowed.includes('GET') ? ['HEAD', ...allowed] : allowed).sort().join(', ');
  return (_request, response) => {
    response.set('allow', allow);
    throw new LedgerError('METHOD_NOT_ALLOWED');
  };
};

const mountPath = (route: IRoute, path: string, deps: ApiRouterDeps): void => {
  const operations = toOperations(deps.document, path);
  const validation = createValidation(deps.document, path, deps.validateResponses);
  for (const operation of operations) {
    const { method } = operation;
    route[method](nameOperation(operation));
    route[method](createAdmission(deps, operation));
    route[method](...toBodyMiddlewares(operation, deps.bodyBytesMax), validation);
    route[method](createRun(operation, deps));
  }
  route.all(deps.limitAddress, refuseMethod(operations));
};

/** The router of these paths of the document, without their prefix. */
export const createApiRouter = (paths: readonly string[], deps: ApiRouterDeps): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const path of paths) mountPath(router.route(toRoutePath(path)), path, deps);
  return router;
};
