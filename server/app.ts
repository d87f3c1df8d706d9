// Composes the HTTP application. It opens no socket: listen.ts does.
import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import { LedgerError, refuseField } from '../ledger/errors.ts';
import { createApiRoutes } from './apiRouter.ts';
import { createAuthenticate } from './auth/authentication.ts';
import { createReceiveUpload } from './blobs/receiveUpload.ts';
import type { ServerDeps } from './deps.ts';
import { createExplorerRouter } from './explorer/explorerRoutes.ts';
import { redirectToPages } from './explorer/publicPages.ts';
import { createRpcRouter } from './explorer/rpcRoute.ts';
import { createSignInLinkRouter } from './explorer/signInLinkRoute.ts';
import { createBlockLogRouter } from './http/blockLogRoutes.ts';
import { useExpressMessages } from './http/expressMessages.ts';
import { createHealthRouter, type FindHealthIssues } from './http/health.ts';
import { type AnswerPath, createListener, type MountedPaths, raiseFailure } from './http/mountedPaths.ts';
import { createProblemResponder } from './http/problems.ts';
import { createAddressLimit, createLimit, type LimitAddress, toLimitMiddleware } from './http/rateLimits.ts';
import { assertNotRepeated } from './http/repeatedHeaders.ts';
import { createObserve } from './http/requestObserver.ts';
import { assertHost } from './http/requestTargets.ts';
import type { Rate, ServerLimits } from './limits.ts';
import type { LineLimits } from './lines/splitLines.ts';
import { createDocsRouter } from './openapi/docs.ts';
import { groupByPrefixes, readDocument } from './openapi/document.ts';
import { readComplianceDocument } from './openapi/readComplianceDocument.ts';
import { operations } from './operations.ts';

const createExpress = ({ trustProxy }: Pick<ServerDeps, 'trustProxy'>): Express => {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.enable('case sensitive routing').enable('strict routing');
  // server/openapi/queryStrings.ts reads the query.
  app.set('query parser', false);
  app.set('trust proxy', trustProxy ?? false);
  useExpressMessages(app);
  return app;
};

const assertHeaders = (request: Request): void => {
  assertHost(request);
  assertNotRepeated(request);
};

const refuseHeaders: RequestHandler = (request, _response, next) => {
  assertHeaders(request);
  next();
};

const toMiddleware =
  (answer: AnswerPath): RequestHandler =>
  (request, response, next) =>
    answer(request.path, request, response, next) ?? next();

const refuseRoute: RequestHandler = () => {
  throw new LedgerError('ROUTE_NOT_FOUND');
};

// A request that is refused before it has a route counts like a request for an unknown route.
const createCountRefusal =
  (limitAddress: LimitAddress): ErrorRequestHandler =>
  async (error: unknown, request, _response, next) => {
    await limitAddress(request);
    next(error);
  };

// Express reports a path whose percent encoding can't be decoded as a URIError.
const createRefuseMalformedPath =
  (limitAddress: LimitAddress): ErrorRequestHandler =>
  async (error: unknown, request, _response, next) => {
    if (!(error instanceof URIError)) return next(error);
    await limitAddress(request);
    throw refuseField('REQUEST_INVALID', 'path', 'is not percent-encoded UTF-8');
  };

const UNLIMITED: Rate = { perSecond: 0, burst: 0 };
/** Lines that are checked and recorded together: some 5 ms of work. */
const LINE_GROUPS = { groupLinesMax: 100, groupBytesMax: 131_072 };
const toLineLimits = ({ bodyBytesMax, bulkLinesMax }: ServerLimits): LineLimits => ({
  lineBytesMax: bodyBytesMax,
  ...LINE_GROUPS,
  linesMax: bulkLinesMax,
});

const noHealthIssues: FindHealthIssues = async () => [];

type StartingDeps = Pick<ServerDeps, 'limits' | 'rates' | 'trustProxy' | 'onAnswered' | 'onUnexpectedError'>;

/**
 * The application of a server that is starting: /healthz succeeds, /readyz reports `starting`, any other route is 503
 * STARTING.
 */
export const createStartingApp = (deps: StartingDeps): RequestListener => {
  const app = createExpress(deps);
  const openRate = deps.rates?.open ?? UNLIMITED;
  app.use(
    createHealthRouter(
      async () => [{ name: 'starting', reason: 'the ledger is being opened' }],
      toLimitMiddleware(createAddressLimit(openRate)),
    ),
  );
  app.use(toLimitMiddleware(createAddressLimit(openRate)), () => {
    throw new LedgerError('STARTING');
  });
  app.use(createProblemResponder(deps.onUnexpectedError));
  const observe = createObserve(readDocument(deps.limits), deps.onAnswered);
  return createListener(app, { observe, assertHeaders, mounts: [] });
};

/**
 * The application. With `validateResponses`, which is for tests, an answer that the document doesn't describe becomes a
 * 500.
 */
export const createApp = (deps: ServerDeps, options: { validateResponses?: boolean } = {}): RequestListener => {
  const document = readDocument(deps.limits);
  const compliance = readComplianceDocument(deps.limits);
  const openRate = deps.rates?.open ?? UNLIMITED;
  const limitAddress = createAddressLimit(openRate);
  const routerDeps = {
    document,
    handlers: operations(deps, compliance),
    authenticate: createAuthenticate(deps),
    limitTenant: createLimit(deps.rates?.tenant ?? UNLIMITED),
    limitAddress,
    limitRefused: createAddressLimit(openRate),
    receiveUpload: createReceiveUpload(deps.blobs, deps.limits),
    runInSlices: deps.runInSlices,
    runRead: deps.runRead,
    runBody: deps.runBody,
    listRecordsMax: deps.limits.listRecordsMax,
    bodyBytesMax: deps.limits.bodyBytesMax,
    lineLimits: toLineLimits(deps.limits),
    stopping: deps.stopping,
    catchUp: deps.catchUp,
    findWriteNotice: deps.findWriteNotice,
    validateResponses: options.validateResponses ?? false,
  };
  const app = createExpress(deps);
  app.use(refuseHeaders, createCountRefusal(limitAddress), raiseFailure);
  const mounts: MountedPaths[] = [];
  for (const [servers, paths] of groupByPrefixes(document)) {
    const api = createApiRoutes(paths, routerDeps);
    const answer = redirectToPages(api, limitAddress, { hasRecords: deps.explorer !== undefined });
    for (const { url } of servers) {
      app.use(url, toMiddleware(answer));
      if (url !== '/') mounts.push({ prefix: url, answer });
    }
  }
  const limitProbes = toLimitMiddleware(createAddressLimit(openRate));
  app.use(createHealthRouter(deps.findHealthIssues ?? noHealthIssues, limitProbes, deps));
  if (deps.blockLog !== undefined) app.use(createBlockLogRouter(deps.blockLog, toLimitMiddleware(limitAddress)));
  app.use(createDocsRouter({ document, compliance }, toLimitMiddleware(limitAddress)));
  if (deps.answerRpc !== undefined) app.use(createRpcRouter(deps.answerRpc, limitAddress));
  if (deps.signInLink !== undefined) app.use(createSignInLinkRouter(deps.signInLink, deps, limitAddress));
  if (deps.explorer !== undefined) app.use(createExplorerRouter(deps.explorer, limitAddress));
  app.use(toLimitMiddleware(limitAddress), refuseRoute);
  app.use(createRefuseMalformedPath(limitAddress), createProblemResponder(deps.onUnexpectedError));
  return createListener(app, { observe: createObserve(document, deps.onAnswered), assertHeaders, mounts });
};
