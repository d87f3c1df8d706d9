// The interactive pages of the interface, at /docs and /docs/compliance, from this server alone: no other host, no inline script.

import { fileURLToPath } from 'node:url';
import express, { type Request, type Response, type Router } from 'express';
import type { ApiDocument } from './document.ts';
import { toComplianceDocument } from './openapiTwo.ts';

const toPage = (title: string, start: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="${start}"></script>
  </body>
</html>
`;

const toStart = (url: string): string => `window.ui = SwaggerUIBundle({
  url: '${url}',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
});
`;

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page for a browser, and what its headers allow it. */
export interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const HEADERS = { 'content-security-policy': CONTENT_SECURITY_POLICY };
const PAGE: Page = { html: toPage('Provenance ledger: interface', '/docs/start.js'), headers: HEADERS };

/** The page of the compliance operations, of what is served at /docs alone, so that it may be served anywhere. */
export const COMPLIANCE_PAGE: Page = {
  html: toPage('Provenance ledger: compliance', '/docs/compliance-start.js'),
  headers: HEADERS,
};

/** Sends a page. */
export const sendPage = (response: Response, { html, headers }: Page): void => {
  response.set(headers).type('html').send(html);
};

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

const sendAsset = (name: string) => {
  const path = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));
  return (_request: Request, response: Response): void => response.sendFile(path);
};

const sendScript =
  (script: string) =>
  (_request: Request, response: Response): void => {
    response.type('js').send(script);
  };

const sendJson =
  (document: object) =>
  (_request: Request, response: Response): void => {
    response.json(document);
  };

/** Routes of the pages, of what they load, and of the documents that they show: /openapi.json and /docs/compliance.json. */
export const createDocsRouter = (document: ApiDocument): Router => {
  const router = express.Router({ caseSensitive: true });
  router.use('/docs', (_request, response, next) => {
    response.set(HEADERS);
    next();
  });
  router.get('/docs', (_request, response) => sendPage(response, PAGE));
  router.get('/docs/start.js', sendScript(toStart('/openapi.json')));
  router.get('/docs/compliance', (_request, response) => sendPage(response, COMPLIANCE_PAGE));
  router.get('/docs/compliance-start.js', sendScript(toStart('/docs/compliance.json')));
  for (const name of ASSETS) router.get(`/docs/${name}`, sendAsset(name));
  router.get('/openapi.json', sendJson(document));
  router.get('/docs/compliance.json', sendJson(toComplianceDocument(document)));
  return router;
};
