// Composes the HTTP application. It is not a server: listen.ts gives it a socket.

import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { LedgerError, refuseField } from '../ledger/errors.ts';
import { createApiRouter } from './apiRouter.ts';
import { createAuthenticate } from './authentication.ts';
import { createReceiveUpload } from './blobs/receiveUpload.ts';
import type { ServerDeps } from './deps.ts';
import { createDocsRouter } from './docs.ts';
import { groupByPrefixes, readDocument } from './document.ts';
import { operations } from './operations.ts';
import { createProblemResponder } from './problems.ts';

const createExpress = (): Express => {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.enable('case sensitive routing').enable('strict routing');
  // queries.ts reads the query.
  app.set('query parser', false);
  return app;
};

const forbidSniffing: RequestHandler = (_request, response, next) => {
  response.set('x-content-type-options', 'nosniff');
  next();
};

const refuseRoute: RequestHandler = () => {
  throw new LedgerError('ROUTE_NOT_FOUND');
};

// Express' own word for a path whose percent encoding can't be decoded.
const refuseMalformedPath: ErrorRequestHandler = (error: unknown, _request, _response, next) => {
  next(error instanceof URIError ? refuseField('REQUEST_INVALID', 'path', 'is not percent-encoded UTF-8') : error);
};

/** The application. `validateResponses` checks every answer against the document, for tests: an answer that isn't documented is a 500. */
export const createApp = (deps: ServerDeps, options: { validateResponses?: boolean } = {}): Express => {
  const document = readDocument(deps.limits);
  const routerDeps = {
    document,
    handlers: operations(deps, document),
    authenticate: createAuthenticate(deps),
    receiveUpload: createReceiveUpload(deps.blobs, deps.limits.blobBytesMax),
    bodyBytesMax: deps.limits.bodyBytesMax,
    validateResponses: options.validateResponses ?? false,
  };
  const app = createExpress();
  app.use(forbidSniffing);
  app.use(createDocsRouter(document));
  for (const [servers, paths] of groupByPrefixes(document)) {
    const router = createApiRouter(paths, routerDeps);
    for (const { url } of servers) app.use(url, router);
  }
  app.use(refuseRoute, refuseMalformedPath, createProblemResponder(deps.onUnexpectedError));
  return app;
};
