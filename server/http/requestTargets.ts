// Normalizes request targets. HTTP/1.1 lets a client name the host twice, in the target and in a header (RFC 9112
// section 3.2); afterwards there is one host, and the target is a path.
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { refuseField } from '../../ledger/errors.ts';

const ABSOLUTE = /^https?:\/\/([^/?#]+)([^#]*)$/i;

/**
 * Converts a target in absolute form (`GET http://host/path`) to origin form. The host of the target replaces the
 * header's.
 */
export const toOriginForm = (request: IncomingMessage): void => {
  const [, host, rest] = ABSOLUTE.exec(request.url ?? '') ?? [];
  if (host === undefined || rest === undefined) return;
  request.headers.host = host;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
};

/** Middleware that refuses an HTTP/1.1 request that names no host. */
export const requireHost: RequestHandler = (request, _response, next) => {
  if (request.httpVersion !== '1.0' && request.headers.host === undefined)
    throw refuseField('REQUEST_INVALID', 'host', 'is missing');
  next();
};
