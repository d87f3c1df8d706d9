// Routes requests to the operations of the document: path, authentication, authorization, body, validation, handler. In
// this order no body is read before its caller is authenticated.
import type { NextFunction, Request, Response } from 'express';
import { LedgerError } from '../ledger/errors.ts';
import type { Authenticate } from './auth/authentication.ts';
import type { Right } from './auth/rights.ts';
import { type FileAnswer, sendFile } from './blobs/downloads.ts';
import type { ReceiveUpload } from './blobs/receiveUpload.ts';
import type { ServerTurns } from './fairness/serverTurns.ts';
import { createReadBody, MULTIPART } from './http/bodies.ts';
import { allowAnyPace } from './http/bodyPace.ts';
import type { EvidenceFileAnswer } from './http/evidenceAnswers.ts';
import { sendJsonParts, sendText } from './http/jsonParts.ts';
import type { AnswerPath } from './http/mountedPaths.ts';
import { createPathTable } from './http/pathTable.ts';
import type { Limit, LimitAddress } from './http/rateLimits.ts';
import { encodeJsonInSteps } from './http/steppedJson.ts';
import { createReadLines } from './lines/lineBody.ts';
import { countLines } from './lines/lineRates.ts';
import { type LinesAnswer, sendLines } from './lines/sendLines.ts';
import type { LineLimits } from './lines/splitLines.ts';
import { type DocsPage, sendDocsPage } from './openapi/docs.ts';
import { type ApiDocument, type ApiOperation, LINES, toOperations } from './openapi/document.ts';
import type { Caller, Handlers, OpenRequest } from './openapi/handlers.ts';
import type { OperationId } from './openapi/operationIds.ts';
import { createAnswerValidation, type ValidateAnswer } from './openapi/validation.ts';
import { createCheck, createTakeTurn, ignoreClosed, toClosed, toRequestParty } from './operationTurns.ts';
import { type CatchUp, repeatMissing } from './records/missing.ts';

/** What the router needs besides the paths that it mounts. */
export interface ApiRouterDeps extends ServerTurns {
  readonly document: ApiDocument;
  readonly handlers: Handlers;
  readonly authenticate: Authenticate;
  readonly limitTenant: Limit;
  /** Runs before every route that answers without a token. */
  readonly limitAddress: LimitAddress;
  /** Runs after a token was refused. */
  readonly limitRefused: LimitAddress;
  readonly receiveUpload: ReceiveUpload;
  /** Records on a page when the client specifies no `page_size`. */
  readonly listRecordsMax: number;
  readonly bodyBytesMax: number;
  readonly lineLimits: LineLimits;
  /** Aborts when the server stops: then bodies of lines end. */
  readonly stopping: AbortSignal | undefined;
  readonly validateResponses: boolean;
  /** Code of what the answers to writes state in a header; undefined: nothing. */
  readonly findWriteNotice: (() => string | undefined) | undefined;
  /** Brings reads to the chain's final head; undefined: no other server writes to the chain. */
  readonly catchUp: CatchUp | undefined;
}

/** The common type of all handlers, for requests that were validated. */
type AnyHandler = (request: OpenRequest<OperationId> & { caller: Caller | undefined }) => Promise<
  | { readonly file: FileAnswer }
  | { readonly page: DocsPage }
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly json: readonly Uint8Array[];
    }
  | EvidenceFileAnswer
  | LinesAnswer
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: object;
      readonly isLarge?: true;
    }
>;

// Where its issuer can't be reached, a token isn't refused.
const isRefusedToken = (error: unknown): boolean =>
  error instanceof LedgerError && (error.code === 'UNAUTHENTICATED' || error.code === 'FORBIDDEN');

/** Authenticates, authorizes and counts a request. Rejects with a LedgerError. */
type Admit = (request: Request, response: Response) => Promise<void>;

// A valid token is accepted whatever others of its address send, so a refused one counts only after it was refused. It
// has a counter of its own, so that its client can still request another token.
const authenticateOrCount = async (
  { authenticate, limitRefused }: ApiRouterDeps,
  request: Request,
  response: Response,
  right: Right,
): Promise<Caller> => {
  try {
    return await authenticate(request.headers.authorization, right);
  } catch (error) {
    if (error instanceof LedgerError) response.locals.refusal = error.message;
    if (isRefusedToken(error)) await limitRefused(request);
    throw error;
  }
};

// Upload slots bound uploads, and no rate: after a 429 the existing client would send the upload again with an empty
// file.
const createAuthentication =
  (deps: ApiRouterDeps, { mediaType }: ApiOperation, right: Right): Admit =>
  async (request, response) => {
    const { limitTenant } = deps;
    const caller = await authenticateOrCount(deps, request, response, right);
    response.locals.caller = caller;
    if (mediaType !== MULTIPART) await limitTenant(caller.tenantIdentity);
  };

// A token is verified even where none is required: an invalid token is refused, not ignored.
const createAdmission = (deps: ApiRouterDeps, operation: ApiOperation): Admit => {
  const { right, isTokenOptional } = operation;
  const { limitAddress } = deps;
  if (right === undefined) return limitAddress;
  const authenticate = createAuthentication(deps, operation, right);
  if (!isTokenOptional) return authenticate;
  return (request, response) =>
    request.headers.authorization === undefined ? limitAddress(request) : authenticate(request, response);
};

const toParams = (params: Request['params']): Record<string, string> => {
  const lowered: Record<string, string> = {};
  for (const name in params) lowered[name] = String(params[name]).toLowerCase();
  return lowered;
};

const toHeaders = ({ headerNames }: ApiOperation, { headers }: Request): Record<string, unknown> => {
  const documented: Record<string, unknown> = {};
  for (const name of headerNames) documented[name] = headers[name.toLowerCase()];
  return documented;
};

// Most handlers read neither origin nor address, which Express computes from the connection and the headers of proxies.
const toHandlerRequest = (operation: ApiOperation, query: object, request: Request, response: Response) => ({
  params: toParams(request.params),
  query,
  headers: toHeaders(operation, request),
  body: request.body as unknown,
  caller: response.locals.caller as Caller | undefined,
  get origin() {
    return `${request.protocol}://${request.headers.host ?? ''}`;
  },
  prefix: request.baseUrl,
  get address() {
    return request.ip ?? '';
  },
  get closed() {
    return toClosed(response);
  },
});

type SendLarge = (request: Request, response: Response, body: object) => Promise<void>;

// The validator of answers reads the object that `response.json()` is called with.
const createSendLarge =
  ({ runInSlices, validateResponses }: ApiRouterDeps): SendLarge =>
  async (request, response, body) => {
    if (validateResponses) response.json(body);
    else sendJsonParts(response, [await runInSlices(toRequestParty(request, response), encodeJsonInSteps(body))]);
  };

const sendEncoded = (response: Response, json: readonly Uint8Array[], { validateResponses }: ApiRouterDeps): void => {
  if (validateResponses) response.json(JSON.parse(Buffer.concat(json).toString()));
  else sendJsonParts(response, json);
};

/** Header of an answer to a write, beside what clients know: a write is `PENDING` for as long as a chain stalls. */
const NOTICE_HEADER = 'ledger-notice';

// `no-cache` makes caches revalidate, and every `fetch` with a condition sends it; Express would send all again.
const allowNotModified = ({ headers }: Request, answered: Readonly<Record<string, string>> = {}): void => {
  if (answered.etag !== undefined) delete headers['cache-control'];
};

/** Runs the handler of a validated request with the parameters of its query, and answers. */
type Run = (request: Request, response: Response, query: object) => Promise<void>;

const createRun = (operation: ApiOperation, deps: ApiRouterDeps): Run => {
  const { handlers, receiveUpload } = deps;
  const handler = handlers[operation.id] as unknown as AnyHandler;
  const sendLarge = createSendLarge(deps);
  const takeTurn = createTakeTurn(operation, deps);
  // Uploads and lines can be read only once.
  const isReadOnce = operation.mediaType === LINES || operation.mediaType === MULTIPART;
  const catchUp = isReadOnce ? undefined : deps.catchUp;
  const isWrite = operation.right !== undefined && operation.method !== 'get';
  const run: Run = async (request, response, query) => {
    const ask = () => handler(toHandlerRequest(operation, query, request, response) as never);
    const answer = await takeTurn(request, response, query, () => repeatMissing(ask, catchUp)).catch((error: unknown) =>
      ignoreClosed(response, error),
    );
    if (answer === undefined) return;
    const notice = isWrite ? deps.findWriteNotice?.() : undefined;
    if (notice !== undefined) response.set(NOTICE_HEADER, notice);
    if ('file' in answer) return sendFile(response, answer.file);
    if ('page' in answer) return sendDocsPage(response, answer.page);
    if ('lines' in answer) return sendLines(request, response, answer);
    response.status(answer.status);
    if (answer.headers !== undefined) response.set(answer.headers);
    allowNotModified(request, answer.headers);
    if ('text' in answer)
      return sendText(response, answer.text, (steps) => deps.runInSlices(toRequestParty(request, response), steps));
    if ('json' in answer) return sendEncoded(response, answer.json, deps);
    const { body, isLarge } = answer;
    if (isLarge) await sendLarge(request, response, body);
    else response.json(body);
  };
  if (operation.mediaType === LINES) {
    const readLines = createReadLines({ ...deps, limits: deps.lineLimits }, operation);
    return (request, response, query) => {
      allowAnyPace(request);
      const { tenantIdentity } = response.locals.caller as Caller;
      const rate = {
        count: () => deps.limitTenant(tenantIdentity),
        stopping: deps.stopping,
        closed: toClosed(response),
      };
      request.body = { groups: countLines(readLines(request, tenantIdentity), rate) };
      return run(request, response, query);
    };
  }
  if (operation.mediaType !== MULTIPART) return run;
  return (request, response, query) => {
    const { boundary, caller } = response.locals as { boundary: string; caller: Caller };
    return receiveUpload({ request, response, boundary, tenantIdentity: caller.tenantIdentity }, (file) => {
      request.body = { file };
      return run(request, response, query);
    });
  };
};

type Answer = (request: Request, response: Response, next: NextFunction) => Promise<void>;

// One function for all steps: each middleware of its own would cost a request several closures and a turn of the
// router.
const createOperation = (
  operation: ApiOperation,
  deps: ApiRouterDeps,
  validateAnswer: ValidateAnswer | undefined,
): Answer => {
  const admit = createAdmission(deps, operation);
  const readBody = createReadBody(operation, deps.bodyBytesMax);
  const check = createCheck(operation, deps);
  const run = createRun(operation, deps);
  return async (request, response, next) => {
    response.locals.operationId = operation.id;
    await admit(request, response);
    const query = await check(request, response, await readBody(request, response));
    await validateAnswer?.(request, response, next);
    await run(request, response, query);
  };
};

const createRefuseMethod = (operations: readonly ApiOperation[], { limitAddress }: ApiRouterDeps): Answer => {
  const allowed = operations.map(({ method }) => method.toUpperCase());
  const allow = (allowed.includes('GET') ? ['HEAD', ...allowed] : allowed).sort().join(', ');
  return async (request, response) => {
    await limitAddress(request);
    response.set('allow', allow);
    throw new LedgerError('METHOD_NOT_ALLOWED');
  };
};

/** A path of the document. */
interface ApiPath {
  readonly parameterNames: readonly string[];
  /** By the methods of requests. */
  readonly operations: ReadonlyMap<string, Answer>;
  readonly refuseMethod: Answer;
}

const createPath = (path: string, deps: ApiRouterDeps): ApiPath => {
  const operations = toOperations(deps.document, path);
  const validate = deps.validateResponses ? createAnswerValidation(deps.document, path) : undefined;
  const handlers = operations.map((one) => [one.method.toUpperCase(), createOperation(one, deps, validate)] as const);
  const head = handlers.filter(([method]) => method === 'GET').map(([, handler]) => ['HEAD', handler] as const);
  return {
    parameterNames: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    operations: new Map([...handlers, ...head]),
    refuseMethod: createRefuseMethod(operations, deps),
  };
};

// A value that isn't percent-encoded UTF-8 throws a URIError.
const decodeParameters = (names: readonly string[], values: readonly string[]): Record<string, string> => {
  const params: Record<string, string> = {};
  for (let at = 0; at < names.length; at += 1) params[names[at]!] = decodeURIComponent(values[at]!);
  return params;
};

/** Answers requests for these paths of the document. */
export const createApiRoutes = (paths: readonly string[], deps: ApiRouterDeps): AnswerPath => {
  const find = createPathTable(paths.map((path) => [path, createPath(path, deps)]));
  return (path, request, response, next) => {
    const found = find(path);
    if (found === undefined) return undefined;
    const { parameterNames, operations, refuseMethod } = found.entry;
    request.params = decodeParameters(parameterNames, found.values);
    return (operations.get(request.method) ?? refuseMethod)(request, response, next);
  };
};
