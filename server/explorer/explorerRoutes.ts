// Serves the browser application: one page for all its paths, since its router runs in the browser, and the files that
// the page loads. None of them needs a token, and none contains a record.
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

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The routes of the application. `limitAddress` runs before each of them. */
export const createExplorerRouter = ({ page, parts }: ExplorerFiles, limitAddress: LimitAddress): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  const createSend =
    (find: (request: Request) => StaticDocument | undefined): RequestHandler =>
    async (request, response, next) => {
      const document = find(request);
      if (document === undefined) return next();
      await limitAddress(request);
      response.set('content-security-policy', CONTENT_SECURITY_POLICY);
      await sendDocument(response, document);
    };
  router.get(
    PAGE_PATHS,
    createSend(() => page),
  );
  router.get(
    '/ui/*path',
    createSend(({ path }) => parts.get(path)),
  );
  return router;
};
