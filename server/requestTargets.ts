// What a request is for. HTTP/1.1 lets a client name the host twice, in the target and in a header (RFC 9112 section 3.2); behind this point
// there is one host, and a target that is a path.
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { refuseField } from '../ledger/errors.ts';

const ABSOLUTE = /^https?:\/\/([^/?#]+)([^#]*)$/i;

/** Brings a target in absolute form (`GET http://host/path`) to origin form: its host counts, not the header's. */
export const toOriginForm = (request: IncomingMessage): void => {
  const [, host, rest] = ABSOLUTE.exec(request.url ?? '') ?? [];
  if (host === undefined || rest === undefined) return;
  request.headers.host = host;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
};

const HOST = 'host';

// Node keeps the first and hides the rest; a proxy in front may have looked at another.
const countHosts = (rawHeaders: readonly string[]): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.length === HOST.length && name.toLowerCase() === HOST).length;

/** Middleware that refuses an HTTP/1.1 request that names no host, and any that names several. */
export const requireHost: RequestHandler = (request, _response, next) => {
  if (request.httpVersion !== '1.0' && request.headers.host === undefined)
    throw refuseField('REQUEST_INVALID', HOST, 'is missing');
  if (countHosts(request.rawHeaders) > 1) throw refuseField('REQUEST_INVALID', HOST, 'is given more than once');
  next();
};
