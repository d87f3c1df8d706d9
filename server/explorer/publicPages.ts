// Redirects a browser that opens an address of the API to the page that shows what is there: the address of a public
// record, the operation that returns it, and the page of the compliance operations, for which a browser sends no token.
// Clients of the API don't name `text/html`, and get JSON.
import type { Request, Response } from 'express';
import type { AnswerPath } from '../http/mountedPaths.ts';
import type { LimitAddress } from '../http/rateLimits.ts';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const RECORD = `(${UUID})(/events/${UUID})?`;
const ADDRESS = new RegExp(`^/v2/(?:publicassets/${RECORD}|assets/${RECORD}:publicurl)$`, 'i');
const METHODS = ['GET', 'HEAD'];
const JSON_RANGES: readonly string[] = ['application/json', 'application/*', '*/*'];

const COMPLIANCE = '/v1/compliance_policies:openapi-ui';

const findRecordPage = (path: string): string | undefined => {
  const match = ADDRESS.exec(path);
  if (match === null) return undefined;
  const [, asset, event, ownAsset, ownEvent] = match;
  return `/p/assets/${asset ?? ownAsset}${event ?? ownEvent ?? ''}`.toLowerCase();
};

/** Whether this server has the pages of public records. */
type HasRecords = { readonly hasRecords: boolean };

const findPage = ({ method, headers }: Request, path: string, { hasRecords }: HasRecords): string | undefined => {
  if (!METHODS.includes(method)) return undefined;
  if (path === COMPLIANCE) return headers.authorization === undefined ? '/docs/compliance' : undefined;
  return hasRecords ? findRecordPage(path) : undefined;
};

// `*/*` names no type, but asks for JSON where it is preferred. The list has the preferred type first, and none of
// quality 0.
const prefersPage = (request: Request): boolean => {
  const types = request.accepts().map((type) => type.toLowerCase());
  const page = types.indexOf('text/html');
  const json = types.findIndex((type) => JSON_RANGES.includes(type));
  return page >= 0 && (json < 0 || page < json);
};

/** Wraps the routes of the API. `limitAddress` runs before each redirection. */
export const redirectToPages = (answer: AnswerPath, limitAddress: LimitAddress, pages: HasRecords): AnswerPath => {
  const redirect = async (request: Request, response: Response, page: string): Promise<void> => {
    await limitAddress(request);
    response.redirect(303, page);
  };
  return (path, request, response, next) => {
    const page = findPage(request, path, pages);
    if (page === undefined) return answer(path, request, response, next);
    response.vary('accept');
    return prefersPage(request) ? redirect(request, response, page) : answer(path, request, response, next);
  };
};
