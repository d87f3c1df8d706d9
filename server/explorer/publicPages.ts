// Redirects a browser that opens the address of a public record, or the operation that returns the address, to the page
// that shows the record. Clients of the API don't name `text/html`, and get JSON.
import type { Request, Response } from 'express';
import type { AnswerPath } from '../http/mountedPaths.ts';
import type { LimitAddress } from '../http/rateLimits.ts';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const RECORD = `(${UUID})(/events/${UUID})?`;
const ADDRESS = new RegExp(`^/v2/(?:publicassets/${RECORD}|assets/${RECORD}:publicurl)$`, 'i');
const METHODS = ['GET', 'HEAD'];
const JSON_RANGES: readonly string[] = ['application/json', 'application/*', '*/*'];

const findPage = (path: string): string | undefined => {
  const match = ADDRESS.exec(path);
  if (match === null) return undefined;
  const [, asset, event, ownAsset, ownEvent] = match;
  return `/p/assets/${asset ?? ownAsset}${event ?? ownEvent ?? ''}`.toLowerCase();
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
export const redirectToPages = (answer: AnswerPath, limitAddress: LimitAddress): AnswerPath => {
  const redirect = async (request: Request, response: Response, page: string): Promise<void> => {
    await limitAddress(request);
    response.redirect(303, page);
  };
  return (path, request, response, next) => {
    const page = METHODS.includes(request.method) ? findPage(path) : undefined;
    if (page === undefined) return answer(path, request, response, next);
    response.vary('accept');
    return prefersPage(request) ? redirect(request, response, page) : answer(path, request, response, next);
  };
};
