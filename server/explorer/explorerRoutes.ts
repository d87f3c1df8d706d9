// Serves the browser application: one page for all its paths, since its router runs in the browser, the files that the
// page loads, and the verifier as a file to save. None of them needs a token, and none contains a record.
import express, { type Request, type RequestHandler, type Router } from 'express';
import type { LimitAddress } from '../http/rateLimits.ts';
import { type StaticDocument, sendDocument } from '../openapi/staticDocuments.ts';
import type { ExplorerFiles } from './explorerFiles.ts';

/** The paths at which the page is served; the application has a view for each. */
const PAGE_PATHS = [
  '/',
  '/assets{/*path}',
  '/check',
  '/events',
  '/locations{/*path}',
  '/policies{/*path}',
  '/node',
  '/node/blocks/:number',
  '/p/*path',
  '/admin{/*path}',
  '/sign-in',
];

const CONFIG_PATH = '/ui/config.json';

const toPolicy = (tokenOrigins: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    ["connect-src 'self'", ...tokenOrigins].join(' '),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

// The verifier is saved, and never runs at this origin.
const VERIFIER_HEADERS = {
  'content-disposition': 'attachment; filename="verify.html"',
  'content-security-policy': "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
};

/** The routes of the application. `limitAddress` runs before each of them. */
export const createExplorerRouter = (files: ExplorerFiles, limitAddress: LimitAddress): Router => {
  const { page, parts, verifier, readConfig, tokenOrigins = () => [] } = files;
  const toPageHeaders = () => ({ 'content-security-policy': toPolicy(tokenOrigins()) });
  const router = express.Router({ caseSensitive: true, strict: true });
  const createSend =
    (find: (request: Request) => StaticDocument | undefined, toHeaders: () => object = toPageHeaders): RequestHandler =>
    async (request, response, next) => {
      const document = find(request);
      if (document === undefined) return next();
      await limitAddress(request);
      response.set(toHeaders());
      await sendDocument(response, document);
    };
  router.get(
    PAGE_PATHS,
    createSend(() => page),
  );
  router.get(
    '/ui/*path',
    createSend(({ path }) => (path === CONFIG_PATH ? readConfig?.() : parts.get(path))),
  );
  router.get(
    '/verify.html',
    createSend(
      () => verifier,
      () => VERIFIER_HEADERS,
    ),
  );
  return router;
};
