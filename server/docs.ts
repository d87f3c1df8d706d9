// The interactive page of the interface at /docs, from this server alone: no other host, no inline script.

import { fileURLToPath } from 'node:url';
import express, { type Request, type Response, type Router } from 'express';
import type { ApiDocument } from './document.ts';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Provenance ledger: interface</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const START = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
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

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

const sendAsset = (name: string) => {
  const path = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));
  return (_request: Request, response: Response): void => response.sendFile(path);
};

/** Routes of the page, of what it loads, and of the document at /openapi.json. */
export const createDocsRouter = (document: ApiDocument): Router => {
  const router = express.Router({ caseSensitive: true });
  router.use('/docs', (_request, response, next) => {
    response.set('content-security-policy', CONTENT_SECURITY_POLICY);
    next();
  });
  router.get('/docs', (_request, response) => {
    response.type('html').send(PAGE);
  });
  router.get('/docs/start.js', (_request, response) => {
    response.type('js').send(START);
  });
  for (const name of ASSETS) router.get(`/docs/${name}`, sendAsset(name));
  router.get('/openapi.json', (_request, response) => {
    response.json(document);
  });
  return router;
};
