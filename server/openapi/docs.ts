// The interactive pages of the interface at /docs and /docs/compliance. They load nothing from other hosts and have no
// inline script.
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, type Response, type Router } from 'express';
import type { ApiDocument } from './document.ts';
import type { ComplianceDocument } from './readComplianceDocument.ts';
import { createStaticDocument, type StaticDocument, sendDocument } from './staticDocuments.ts';

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

const TRY_IT_OUT = readFileSync(new URL('tryItOut.js', import.meta.url), 'utf8');

const toStart = (url: string): string => `${TRY_IT_OUT}
window.ui = SwaggerUIBundle({
  url: '${url}',
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: true,
  responseInterceptor: createEmptyForms('${url}'),
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

/** A page for a browser, and the headers that it is sent with. */
export interface DocsPage {
  readonly document: StaticDocument;
  readonly headers: Readonly<Record<string, string>>;
}

const HEADERS = { 'content-security-policy': CONTENT_SECURITY_POLICY };

const createPage = (title: string, start: string): DocsPage => ({
  document: createStaticDocument('html', toPage(title, start)),
  headers: HEADERS,
});

const PAGE = createPage('Provenance ledger: interface', '/docs/start.js');

/** The page of the compliance operations. It refers only to files below /docs, so that any path can serve it. */
export const COMPLIANCE_PAGE = createPage('Provenance ledger: compliance', '/docs/compliance-start.js');

/** Sends a page. */
export const sendDocsPage = (response: Response, { document, headers }: DocsPage): Promise<void> => {
  response.set(headers);
  return sendDocument(response, document);
};

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;
const assets = new Map<string, StaticDocument>();

// The files of a package don't change while the process runs, so they are compressed once for all applications.
const openAsset = (name: string): StaticDocument => {
  const known = assets.get(name);
  if (known !== undefined) return known;
  const content = readFileSync(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)));
  const asset = createStaticDocument(extname(name), content);
  assets.set(name, asset);
  return asset;
};

/** The documents that the pages show. */
export interface ShownDocuments {
  readonly document: ApiDocument;
  readonly compliance: ComplianceDocument;
}

const createDocuments = ({ document, compliance }: ShownDocuments): Readonly<Record<string, StaticDocument>> => ({
  '/docs': PAGE.document,
  '/docs/start.js': createStaticDocument('js', toStart('/openapi.json')),
  '/docs/compliance': COMPLIANCE_PAGE.document,
  '/docs/compliance-start.js': createStaticDocument('js', toStart('/docs/compliance.json')),
  ...Object.fromEntries(ASSETS.map((name) => [`/docs/${name}`, openAsset(name)])),
  '/openapi.json': createStaticDocument('json', JSON.stringify(document)),
  '/docs/compliance.json': createStaticDocument('json', JSON.stringify(compliance)),
});

/**
 * The routes of the pages, of the files that they load, and of the documents that they show: /openapi.json and
 * /docs/compliance.json. `limit` runs before each of them.
 */
export const createDocsRouter = (documents: ShownDocuments, limit: RequestHandler): Router => {
  const router = express.Router({ caseSensitive: true });
  router.use('/docs', (_request, response, next) => {
    response.set(HEADERS);
    next();
  });
  for (const [path, content] of Object.entries(createDocuments(documents)))
    router.get(path, limit, (_request, response) => sendDocument(response, content));
  return router;
};
